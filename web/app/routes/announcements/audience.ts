import type { AnnouncementView } from '@tapeline/db/operations/announcements/announcements.ts';
import { AUDIENCE_LABELS } from '@tapeline/domain/communication/announcement.schema.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';

/** "Investors of Harbour Fund, class A", "All borrowers". */
export function audienceOf(
  one: Pick<AnnouncementView, 'kind' | 'targetId' | 'target' | 'Class' | 'className'>,
): string {
  if (one.targetId === null) return AUDIENCE_LABELS[one.kind];
  const name = one.target ?? 'one you don’t have access to';
  if (one.kind !== 'funds') return name;
  return one.Class
    ? `Investors of ${name}, ${classTitle(one.className ?? classNameOf([], one.Class) ?? '')}`
    : `Investors of ${name}`;
}
