import { DateText } from '../../../../components/figures/figures.tsx';
import { NextSteps } from '../../../../components/page/next-steps.tsx';
import type { DrawPage } from './draw-page.server.ts';

/** What happens after a borrower has requested a draw: who decides, when it hears, and when the money comes. */
export function DrawNextSteps({ page }: { page: DrawPage }) {
  if (!page.isBorrower || !page.isOpen) return null;
  const manager = page.manager ?? 'The manager';
  return (
    <NextSteps
      steps={[
        {
          title: `${manager} decides`,
          text: 'Its users who can approve draws have been notified. The checks run again on approval. You can change or withdraw the request until then.',
        },
        {
          title: 'You hear as soon as it is decided',
          text: 'You and your colleagues who see draws are notified here and by email. A rejection comes with its reason.',
        },
        {
          title: 'The transfer follows the approval',
          text: (
            <>
              You asked for it on <DateText value={page.dueDate} />. From then on the draw is part of your balance.
            </>
          ),
        },
      ]}
    />
  );
}
