import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { GridView } from '../../entities/chats.ts';
import { newId } from '../../ids.ts';
import { createdMetadata } from '../../operations/metadata.ts';
import type { Session } from '../../store.ts';

interface SeededView {
  readonly grid: GridId;
  readonly title: string;
  readonly search: Readonly<Record<string, string>>;
  readonly isShared: boolean;
}

const VIEWS: readonly SeededView[] = [
  {
    grid: 'funds',
    title: 'Largest first',
    search: { sort: '{"targetSize":-1}', columns: 'title,status,currency,targetSize,hardCap,closingDate' },
    isShared: true,
  },
  {
    grid: 'draws',
    title: 'To be decided',
    search: { filter: '{"status":{"in":["Pending","In Review"]}}', sort: '{"dueDate":1}' },
    isShared: true,
  },
  {
    grid: 'tape-assets',
    title: '60 days late or more',
    search: { filter: '{"daysPastDue":{"gte":60}}', sort: '{"sums.outstandingSum":-1}' },
    isShared: false,
  },
];

/** Views of lists of the user with this email; the first two are shared with the colleagues. */
export async function seedGridViews(session: Session, email: string): Promise<void> {
  const [user] = await session.query<{ id: string; manager_id: string }>(
    'select id, manager_id from users where email = $1',
    [email],
  );
  if (!user) return;
  for (const { search, ...view } of VIEWS) {
    session.em.create(GridView, {
      ...view,
      id: newId(session.now),
      userId: user.id,
      managerId: user.manager_id,
      search: new URLSearchParams(search).toString(),
      isDefault: false,
      metadata: createdMetadata(session),
    });
  }
  await session.em.flush();
}
