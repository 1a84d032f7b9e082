import { formatCount } from '../../components/figures/format.ts';
import type { SetKind } from './approval-words.ts';

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
