import type { Action } from '@tapeline/db/operations/history/actions.ts';
import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import { describeAction, namedDocument, verbOf } from '@tapeline/domain/history/action-sentence.ts';
import { formatFigure, shortenName } from '../figures/format.ts';
import { authorOf, type ChangeView, changeView, type DifferenceLine, type Titles, unitAfter } from './change-view.ts';

/** What one person did in one request, as screens show it. Plain data. */
export interface ActionView {
  /** The id of one of its changes. */
  readonly id: string;
  readonly at: string;
  readonly by: ChangeView['by'];
  /** "Issued capital call 9 of Harbour Credit Fund: 12 notices". */
  readonly sentence: string;
  readonly changes: readonly ChangeView[];
  /** Changes that are not shown. */
  readonly more: number;
}

/** Lines of each change, of an action with one and with several. */
const LINES_ALONE = 12;
const LINES_AMONG_OTHERS = 4;
/** Characters of a value and of a title within a sentence. */
const MAX_VALUE = 60;
const MAX_TITLE = 80;
/** Fields whose values a sentence states; of more, it states the names. */
const MAX_VALUES = 2;
const MAX_NAMES = 3;

const told = (text: string | null, unit: string | null): string =>
  text === null ? 'not set' : `${shortenName(text, MAX_VALUE)}${unitAfter(unit)}`;

/** "hard cap from 50,000,000 to 60,000,000 USD" */
function lineInSentence({ label, kind, old, new: now, unit }: DifferenceLine): string {
  const name = inSentence(label);
  if (kind === 'added') return `${name} set to ${told(now, unit)}`;
  if (kind === 'removed') return `${name} ${told(old, unit)} removed`;
  // The unit is the same for both, unless each has its own.
  return `${name} from ${told(old, unit === '%' ? '%' : null)} to ${told(now, unit)}`;
}

/** The sentence of a change whose collection has sentences, with the title of its document; null if it has none. */
function ownSentence({ resource, sentence, title, isNamed }: ChangeView): string | null {
  if (sentence === null) return null;
  // A proposal is named by its number.
  const isSaid = !isNamed || resource === 'correctionProposals' || sentence.includes(title);
  return isSaid ? sentence : `${sentence} (${shortenName(title, MAX_TITLE)})`;
}

/** A change of one document, with the values before and after. */
function changeInSentence(change: ChangeView, status: string | null): string {
  const { resource, operation, lines, more } = change;
  const title = shortenName(change.title, MAX_TITLE);
  const sentence = ownSentence(change);
  if (sentence !== null) return sentence;
  const verb = verbOf({ resource, operation, status });
  const named = change.isNamed ? namedDocument(resource, title) : `a ${inSentence(change.collection)}`;
  if (operation !== 'Update' || verb !== 'Changed') return `${verb} ${named}`;
  const [first, second] = lines;
  if (!first) return `Changed internal fields of ${named}`;
  if (lines.length + more <= MAX_VALUES) {
    const values = [first, ...(second ? [second] : [])].map(lineInSentence).join(', ');
    return `Changed ${named}: ${values}`;
  }
  const names = [...new Set(lines.map(({ label }) => inSentence(label.split(', ')[0] ?? label)))];
  const others = lines.length + more - MAX_NAMES;
  const listed =
    names.length <= MAX_NAMES && more === 0
      ? names.join(', ')
      : `${names.slice(0, MAX_NAMES).join(', ')} and ${formatFigure(Math.max(others, 1))} more`;
  return `Changed ${named}: ${listed}`;
}

/**
 * An action in words.
 * @param titles of its documents and of those that the values of its changes refer to
 */
export function actionView(action: Action, titles: Titles): ActionView {
  const isAlone = action.total === 1;
  const changes = action.changes.map((change) =>
    changeView(change, titles, isAlone ? LINES_ALONE : LINES_AMONG_OTHERS),
  );
  const [only] = changes;
  const sentence =
    isAlone && only
      ? changeInSentence(only, action.counts[0]?.status ?? null)
      : describeAction(
          action.counts.map(({ documentId, ...count }) => {
            const title = titles.get(documentId)?.title;
            const its = changes.filter((change) => change.documentId === documentId).map(ownSentence);
            const sentences = [...new Set(its.filter((one) => one !== null))];
            return {
              ...count,
              title: title === undefined ? null : shortenName(title, MAX_TITLE),
              sentence: count.documents === 1 && sentences.length > 0 ? sentences.join('; ') : null,
            };
          }),
        );
  return {
    id: action.id,
    at: action.at.toISOString(),
    by: authorOf(action.changedBy),
    sentence,
    changes,
    more: action.total - changes.length,
  };
}
