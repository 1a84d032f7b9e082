import type { CapitalStatus } from '@tapeline/domain/capital/states.ts';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import type { Session } from '../../store.ts';
import type { ActivityKind, CapitalLine, LineChange, Termed } from './activity-kind.ts';
import { HEADERS, type LineTable } from './headers.ts';
import { changeLines, removeLines } from './write-lines.ts';

/** Names a call or distribution as the person saw it. */
export interface HeaderCommand {
  readonly id: string;
  readonly version: number;
}

interface SeenLine {
  readonly id: string;
  readonly version: number;
  readonly status: CapitalStatus;
}

/** Names who last changed a line of the call or distribution, also one that was removed. */
async function staleHeader(
  session: Session,
  table: LineTable,
  { id, version }: HeaderCommand,
  latest: number,
): Promise<Refusal> {
  const [line] = await session.query<{ id: string; metadata: DocumentMetadata }>(
    `select id, metadata from ${table} where activity_id = $1
     order by coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat') desc, id limit 1`,
    [id],
  );
  return line ? staleRefusal({ ...line, version: latest }, version) : staleRefusal();
}

/** The visible lines of a call or distribution as it was seen. @throws Refusal notFound; badRequest if it changed since */
export async function seenLines(
  session: Session,
  table: LineTable,
  { id, version }: HeaderCommand,
): Promise<SeenLine[]> {
  const lines = await session.query<SeenLine & { ofHeader: number }>(
    `select t.id, t.version, t.status, h.version as "ofHeader" from ${table} t join ${HEADERS[table].table} h on h.id = t.activity_id
     where t.activity_id = $1 and t.status <> 'Removed' order by t.id`,
    [id],
  );
  const [first] = lines;
  if (!first) throw new Refusal('notFound');
  if (first.ofHeader !== version) throw await staleHeader(session, table, { id, version }, first.ofHeader);
  return lines;
}

export interface StatusStep extends HeaderCommand {
  /** Active issues the drafts. Closed closes what was issued. */
  readonly status: 'Active' | 'Closed';
}

/** Issues or closes a call or distribution, all lines or none. @throws Refusal as `changeLines`; if there is nothing to do */
export async function stepHeader<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  { status, ...command }: StatusStep,
): Promise<void> {
  const from = status === 'Active' ? 'Draft' : 'Active';
  const lines = (await seenLines(session, kind.table, command)).filter((line) => line.status === from);
  if (lines.length === 0) {
    throw new Refusal(
      'badRequest',
      status === 'Active' ? 'Nothing here is a draft that can be issued' : 'Nothing here is Active and can be closed',
    );
  }
  await changeLines(session, kind, lines.map(({ id, version }) => ({ id, version, status })) as Item[]);
}

export interface HeaderRemoval extends HeaderCommand {
  readonly reason?: string | null | undefined;
}

/** Removes a call or distribution (soft delete), all lines or none. @throws Refusal as `removeLines` */
export async function removeHeader<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  { reason, ...command }: HeaderRemoval,
): Promise<void> {
  const lines = await seenLines(session, kind.table, command);
  await removeLines(session, kind, { ids: lines.map(({ id }) => id), reason });
}
