import { readNotices } from '@tapeline/db/operations/capital/compose-notices.ts';
import { asProgram, type Session } from '@tapeline/db/store.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { logoReader } from '@tapeline/lake/storage/logo-reader.ts';
import type { z } from 'zod';
import { printDocument, printedResponse } from '../../commands/printing.server.ts';
import { type Intent, intent } from '../../http/screen.server.ts';

/** What a form under review is sent with: whose notice is shown. */
export const previewShape = { commitment: idSchema };

const REMARK = 'Preview. This notice is not issued, and its figures can still change.';

/**
 * Prints the notice that one investor would get. It is composed in a dry run as a worker composes the real one, so nothing
 * of it is stored. An investor whom the actor cannot see is not found.
 */
export const previewIntent = <Schema extends z.ZodType<Record<string, unknown> & { commitment: string }>>(
  table: 'contributions' | 'distributions',
  schema: Schema,
  run: (
    session: Session,
    form: z.output<Schema>,
  ) => Promise<{ views: readonly { id: string; commitmentId: string }[] }>,
): Intent =>
  intent({
    permission: `${table}/write`,
    schema,
    async run(form, screen) {
      const { objects, log } = screen.context;
      const { printed, name } = await screen.dryRun(async (session) => {
        const { views } = await run(session, form);
        const part = views.find(({ commitmentId }) => commitmentId === form.commitment);
        if (!part) throw new Refusal('notFound');
        const [notice] = await asProgram(session, () =>
          readNotices(session, [{ table, id: part.id }], logoReader(session, { objects, log })),
        );
        if (!notice) throw new Refusal('notFound');
        return notice.compose();
      });
      const blocks = [{ kind: 'notices' as const, notices: [REMARK] }, ...printed.blocks];
      const bytes = await printDocument(screen, { ...printed, blocks });
      return printedResponse(bytes, `Preview of ${name}`, 'inline');
    },
  });
