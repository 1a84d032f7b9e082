import { useActionData, useLoaderData } from '@remix-run/react';
import { FACILITY_FIGURE_STATUS_LABELS } from '@tapeline/domain/facility-figures/facility-figure-labels.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../../components/page/section.tsx';
import { type ActionAnswer, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { figureText, RemoveFigure, ReviewFigure } from './figure-actions.tsx';
import { changeFigure, readFigure } from './figures.server.ts';

export const handle = named<typeof loader>(({ title, company }) => [
  ['Facility figures', paths.facilityFigures()],
  `${title}, ${company}`,
]);

export const loader = readScreen('transactions/read', readFigure);

export const action = changeFigure;

const TONES = { Entered: 'warning', Reviewed: 'good', Removed: 'neutral' } as const;

export default function FigureScreen() {
  const figure = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const { id, title, company, date, status, remark, file, enteredBy, isOwn, reviewedBy, reviewedAt } = figure;
  const isOpen = status === 'Entered';
  return (
    <>
      <PageHeader
        title={title}
        chip={
          <Chip dot tone={TONES[status]}>
            {FACILITY_FIGURE_STATUS_LABELS[status]}
          </Chip>
        }
        facts={[
          company,
          <>
            as of <DateText value={date} />
          </>,
        ]}
        actions={
          figure.mayChange && status !== 'Removed' ? (
            <>
              <RemoveFigure figure={figure} />
              {isOpen ? <LinkButton to={paths.editFacilityFigure(id)}>Edit</LinkButton> : null}
              {isOpen && !isOwn ? <ReviewFigure figure={figure} /> : null}
            </>
          ) : null
        }
      />
      <ActionProblems answer={answer} />
      {isOpen && isOwn ? <Notice tone="info">You entered this figure, so someone else must review it.</Notice> : null}
      <PanelSection title="Figure" padded>
        <Facts
          items={[
            { label: 'Value', value: <span className="figures">{figureText(figure)}</span> },
            { label: 'Entered by', value: enteredBy },
            ...(reviewedBy
              ? [
                  {
                    label: 'Reviewed by',
                    value: (
                      <>
                        {reviewedBy}, <DateText value={reviewedAt?.slice(0, 10)} />
                      </>
                    ),
                  },
                ]
              : []),
            ...(remark ? [{ label: 'Remark', value: remark }] : []),
            ...(file
              ? [
                  {
                    label: 'Document',
                    value: (
                      <a href={paths.download(file)} className="tap-text text-accent hover:underline">
                        Download
                      </a>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </PanelSection>
    </>
  );
}
