import { useLoaderData } from '@remix-run/react';
import { getClosing } from '@tapeline/db/operations/closings/closings.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { formatFigure } from '@tapeline/domain/money/format-figure.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ClosingFigures } from './closing-review.tsx';
import { shownClosing } from './shown-closing.server.ts';

export const handle = named<typeof loader>(({ fund, closing }) => [[fund.title, paths.fund(fund.id)], closing.title]);

export const loader = readScreen('LPs/commitments/read', (screen) =>
  screen.db(async (session) => {
    const fund = await getFund(session, screen.params.id ?? '');
    const closing = await getClosing(session, screen.params.closing ?? '');
    if (closing.fundId !== fund.id) throw new Refusal('notFound');
    return { fund: { id: fund.id, title: fund.title }, closing: shownClosing(closing) };
  }),
);

/** A closing that was equalized: what everyone paid and received, with its call and its distribution. */
export default function ClosingScreen() {
  const { closing } = useLoaderData<typeof loader>();
  const { before, after } = closing.commitments;
  return (
    <>
      <PageHeader
        title={closing.title}
        chip={closing.status ? <StatusChip dot status={closing.status} /> : undefined}
        facts={[
          <>
            closing{' '}
            <b>
              <DateText value={closing.closingDate} />
            </b>
          </>,
          <>
            commitments{' '}
            <b>
              {formatFigure(before, 2)} to {formatFigure(after, 2)}
            </b>
          </>,
          `figures in ${closing.currency}`,
        ]}
        actions={
          <>
            {closing.callId ? (
              <LinkButton to={paths.capitalCall(closing.callId)}>Call {closing.callNumber}</LinkButton>
            ) : null}
            {closing.distributionId ? (
              <LinkButton to={paths.distribution(closing.distributionId)}>
                Distribution {closing.distributionNumber}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <ClosingFigures closing={closing} isTried={false} />
    </>
  );
}
