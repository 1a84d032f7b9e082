import { DateText } from '../../../../components/figures/figures.tsx';
import { NextSteps } from '../../../../components/page/next-steps.tsx';
import type { ProposalPage } from '../proposal-page.server.ts';

/** What happens after a borrower has sent a correction: who decides, when it hears, and where it sees the result. */
export function ProposalNextSteps({ next }: { next: NonNullable<ProposalPage['next']> }) {
  const manager = next.manager ?? 'the manager';
  const steps = [
    {
      title: `${manager} decides`,
      text: (
        <>
          Its users who can edit tapes have been notified. No date is set for the decision
          {next.nextTape ? (
            <>
              ; your next tape, for <DateText value={next.nextTape.cutOffDate} />, is due on{' '}
              <DateText value={next.nextTape.dueDate} />
            </>
          ) : null}
          . You can withdraw the correction until then.
        </>
      ),
    },
    {
      title: 'You hear as soon as it is decided',
      text: 'You and your colleagues who can edit tapes are notified here and by email. A decline comes with its reason.',
    },
    {
      title: 'You see the result on this page and on the tape',
      text: 'If the correction is accepted, its rows are processed and published, and the borrowing bases are calculated again. If not, the rows stay errored, and you can correct them again.',
    },
  ];
  return <NextSteps steps={steps} />;
}
