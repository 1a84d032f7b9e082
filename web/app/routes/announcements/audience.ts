import type { AnnouncementKind } from '@tapeline/db/operations/announcements/announcements.ts';

/** Whom an announcement of each kind is for, if it names nobody. */
export const AUDIENCES: Readonly<Record<AnnouncementKind, string>> = {
  all: 'Everyone',
  funds: 'Investors of all funds',
  LPs: 'All investors',
  companies: 'All borrowers',
};

/** "Investors of Harbour Fund", "All borrowers". */
export function audienceOf(one: { kind: AnnouncementKind; targetId: string | null; target: string | null }): string {
  if (one.targetId === null) return AUDIENCES[one.kind];
  const name = one.target ?? 'one you don’t have access to';
  return one.kind === 'funds' ? `Investors of ${name}` : name;
}
