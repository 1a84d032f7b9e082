import { formatCount } from '../../components/figures/format.ts';
import type { SetKind } from './approval-words.ts';
import type { DetailsOf } from './details.server.ts';

/** Who is told of a call or distribution: "14 people, among them Ada Obi and Jon Field". */
export function toldText({
  people,
  names,
  isPast,
}: Pick<DetailsOf<'call' | 'distribution'>, 'people' | 'names' | 'isPast'>) {
  if (isPast) return 'No one is told by email: its date has passed.';
  if (people === 0) return 'No one is told by email: the investors have no users or contacts.';
  const among = names.length > 0 && names.length < people ? `, among them ${names.slice(0, 2).join(' and ')}` : '';
  const all = names.length === people ? `: ${names.join(', ')}` : '';
  return `${formatCount(people, 'person is', 'people are')} told by email once the notices are made${all || among}.`;
}

/** Who is told when drafts of NAVs, statements or a write-off are issued. */
export function toldOfSet({
  kind,
  isChecked,
  people,
}: {
  kind: SetKind;
  /** Not where there are too many. */
  isChecked: boolean;
  /** Null if nobody counted them. */
  people: number | null;
}): string {
  if (kind !== 'statements' || people === 0) return 'No one is told by email.';
  if (!isChecked) return 'All investors with an account are told by email. There are too many to run the checks.';
  if (people === null) return 'The investors with an account are told by email.';
  return `${formatCount(people, 'person is', 'people are')} told by email once the files are made.`;
}
