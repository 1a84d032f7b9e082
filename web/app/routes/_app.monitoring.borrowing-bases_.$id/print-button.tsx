import { Printer } from 'lucide-react';
import { Button } from '../../components/forms/button.tsx';
import { useHydrated } from '../../components/use-hydrated.ts';

/** The certificate on paper or as a PDF by the browser's own dialog; without script its menu does the same. */
export function PrintButton() {
  return useHydrated() ? (
    <Button icon={Printer} onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  ) : null;
}
