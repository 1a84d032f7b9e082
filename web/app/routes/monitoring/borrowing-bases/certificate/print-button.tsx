import { Printer } from 'lucide-react';
import { Button } from '../../../../components/forms/button.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';

/**
 * Prints the certificate or saves it as a PDF with the browser's print dialog. Without JavaScript, use the browser's
 * menu.
 */
export function PrintButton() {
  return useHydrated() ? (
    <Button icon={Printer} onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  ) : null;
}
