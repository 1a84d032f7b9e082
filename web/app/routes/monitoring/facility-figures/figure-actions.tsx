import { covenantFigure } from '@tapeline/domain/covenants/covenant-words.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { formatFigure } from '../../../components/figures/format.ts';
import { ConfirmedAction, QuestionFacts } from '../../../components/overlays/confirmed-action.tsx';
import type { FigureList } from './figures.server.ts';

type Figure = FigureList['figures'][number];

/** "46,200,000.00 USD"; a figure that is no money as it was entered. */
export const figureText = ({ value, currency }: Pick<Figure, 'value' | 'currency'>): string =>
  currency === null ? formatFigure(value) : covenantFigure({ unit: 'money', currency }, value);

export const ReviewFigure = ({ figure }: { figure: Figure }) => (
  <ConfirmedAction
    asks={`review-${figure.id}`}
    intent="review"
    values={{ figure: figure.id }}
    label="Review"
    title={`Is ${figure.title} right?`}
    consequence={
      <>
        <QuestionFacts
          lines={[
            ['Borrower', figure.company],
            ['As of', formatCalendarDate(figure.date)],
            ['Figure', figureText(figure)],
            ['Entered by', figure.enteredBy],
          ]}
        />
        <span className="mt-2 block">
          Covenants that read it are tested, and people are told of a breach. A reviewed figure does not change any
          more.
        </span>
      </>
    }
    confirm="Mark as reviewed"
    tone="primary"
  />
);

export const RemoveFigure = ({ figure }: { figure: Figure }) => (
  <ConfirmedAction
    asks={`remove-${figure.id}`}
    intent="remove"
    values={{ figure: figure.id }}
    label="Remove"
    title={`Remove ${figure.title} of ${figure.company}?`}
    consequence={`The figure as of ${formatCalendarDate(figure.date)} is removed. Results that read it stay as they are.`}
    confirm="Remove figure"
    buttonTone="quiet"
  />
);
