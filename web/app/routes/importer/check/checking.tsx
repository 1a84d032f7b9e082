import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { getImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { draftCheck, forgetCheck } from '@tapeline/db/operations/importer/run-check.ts';
import { KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { X } from 'lucide-react';
import { z } from 'zod';
import { rowsDone } from '../../../commands/import-jobs.server.ts';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { useLivePage } from '../../../components/page/use-live-page.ts';
import { act, intent, readScreenOfManager } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ImportSteps } from '../import-steps.tsx';
import { titleOf } from '../kind-words.ts';

export const handle = named<typeof loader>(
  ({ kind }) => [titleOf(kind)],
  ({ kind }) => `Check · ${titleOf(kind)}`,
);

/** Where the page of the check is, with the view that was asked for. */
const checkOf = (id: string, url: URL): string => `${paths.importCheck(id)}${url.search}`;

export const loader = readScreenOfManager('importer/write', async ({ db, context, params, url }) => {
  const { draft, check } = await db(async (session) => {
    const draft = await getImportDraft(session, params.id ?? '');
    return { draft, check: draft.importId ? null : await draftCheck(session, draft) };
  });
  const { id, version, content } = draft;
  if (!check || check.status === 'Completed') throw redirect(checkOf(id, url));
  const { status, total, failure } = check;
  return {
    kind: content.kind,
    file: content.sheet?.name ?? '',
    mapped: Object.keys(content.mapping ?? {}).length,
    isWaiting: status === 'Pending',
    done: status === 'Processing' ? await rowsDone(context, WORKFLOW_IDS.importCheck(id, version)) : 0,
    total,
    failure,
  };
});

export const action = act({
  again: intent({
    permission: 'importer/write',
    schema: z.object({}),
    async run(_, { db, params, url }) {
      const { id } = await db((session) => getImportDraft(session, params.id ?? ''));
      await db((session) => forgetCheck(session, id));
      return redirect(checkOf(id, url));
    },
  }),
});

/** The progress of a check that a worker runs. It shows the result once that is there. */
export default function CheckingImport() {
  const { kind, file, mapped, isWaiting, done, total, failure } = useLoaderData<typeof loader>();
  const isInProgress = failure === null;
  useLivePage(isInProgress);
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return (
    <>
      <PageHeader
        title={titleOf(kind)}
        chip={
          <Chip dot tone={isInProgress ? 'accent' : 'danger'}>
            {isInProgress ? 'Checking' : 'Not checked'}
          </Chip>
        }
        facts={[file, formatCount(total, 'row')]}
        actions={
          <LinkButton to={paths.importer()} icon={X}>
            Continue later
          </LinkButton>
        }
      />
      <ImportSteps
        at="check"
        file={file}
        second={{ label: 'Columns', note: `${mapped} matched` }}
        progress={isInProgress ? { state: 'running', fraction: percent / 100 } : { state: 'failed' }}
      />
      {failure === null ? (
        <>
          <noscript>
            <meta httpEquiv="refresh" content="2" />
          </noscript>
          <Panel className="p-4">
            <p className="mb-1 text-sm font-semibold">
              {isWaiting
                ? 'Waiting to start'
                : `${formatFigure(done)} of ${formatFigure(total)} rows checked (${percent}%)`}
            </p>
            <p className="mb-3 text-xs text-ink-3">
              This is a dry run: no {KIND_TITLES[kind].noun} is stored. You can leave this page and come back.
            </p>
            <div
              role="progressbar"
              aria-label="Progress of the check"
              aria-valuemin={0}
              aria-valuemax={total}
              aria-valuenow={done}
              className="h-1.5 overflow-hidden rounded-full bg-line"
            >
              <div className="h-full rounded-full bg-chart-1" style={{ width: `${percent}%` }} />
            </div>
          </Panel>
        </>
      ) : (
        <Notice tone="danger" action={<ActionForm intent="again">Check again</ActionForm>}>
          {failure}
        </Notice>
      )}
    </>
  );
}
