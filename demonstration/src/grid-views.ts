import { GridView } from '@tapeline/db/entities/chats.ts';
import { newId } from '@tapeline/db/ids.ts';
import { createdMetadata } from '@tapeline/db/operations/metadata.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { readData } from './data.ts';

interface SeededView {
  readonly grid: GridId;
  readonly title: string;
  readonly search: Readonly<Record<string, string>>;
  readonly isShared: boolean;
}

export async function seedGridViews(session: Session, email: string): Promise<void> {
  const [user] = await session.query<{ id: string; manager_id: string }>(
    'select id, manager_id from users where email = $1',
    [email],
  );
  if (!user) return;
  for (const { search, ...view } of readData<SeededView[]>('grid-views')) {
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
