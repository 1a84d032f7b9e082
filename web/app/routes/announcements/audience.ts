import type { AnnouncementKind, AnnouncementView } from '@tapeline/db/operations/announcements/announcements.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';

/** Whom an announcement of each kind is for, if it names nobody. */
export const AUDIENCES: Readonly<Record<AnnouncementKind, string>> = {
  all: 'Everyone',
  funds: 'Investors of all funds',
  LPs: 'All investors',
  companies: 'All borrowers',
};

/** "Investors of Harbour Fund, class A", "All borrowers". */
export function audienceOf(
  one: Pick<AnnouncementView, 'kind' | 'targetId' | 'target' | 'Class' | 'className'>,
): string {
  if (one.targetId === null) return AUDIENCES[one.kind];
  const name = one.target ?? 'one you don’t have access to';
  if (one.kind !== 'funds') return name;
  return one.Class
    ? `Investors of ${name}, ${classTitle(one.className ?? classNameOf([], one.Class) ?? '')}`
    : `Investors of ${name}`;
}
