import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { Download } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { ErrorSummary } from '../../components/forms/screen-form.tsx';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { type ActionAnswer, act, intent, readScreen } from '../../screen.server.ts';
import { originOf } from '../../session.server.ts';
import { correctedFileSchema, rerunFileSchema } from '../../tapes/correct-form.schema.ts';
import { fileInSight, readCorrectFilePage, storedFileId } from '../../tapes/correct-page.server.ts';
import { storeFilesOfForm } from '../../tapes/form-files.server.ts';
import { startRerun } from '../../tapes/rerun.server.ts';
import { TAPE_FILE_TYPES } from '../../tapes/upload-form.schema.ts';
import { FilePreview } from './file-preview.tsx';

type Data = { tape: { id: string; title: string } };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Correct rows in a file${data ? ` · ${data.tape.title}` : ''} · Tapeline` },
];
export const handle: CrumbHandle<Data> = {
  crumbs: ({ data: { tape } }) => [{ label: tape.title, to: paths.tape(tape.id) }, { label: 'Correct in a file' }],
};

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'assets/write', readCorrectFilePage);

export async function action(args: ActionFunctionArgs) {
  const tapeId = args.params.id ?? '';
  const request = await readScreen(args, 'assets/write', storeFilesOfForm);
  return act(
    { ...args, request },
    {
      send: intent({
        permission: 'assets/write',
        schema: correctedFileSchema,
        async run({ attachments }, { context, actor }) {
          const file = await storedFileId(context, actor, attachments[0]?.key ?? '');
          return redirect(paths.correctFile(tapeId, { file }));
        },
      }),
      rerun: intent({
        permission: 'assets/write',
        schema: rerunFileSchema,
        async run({ generation, file }, { context, actor }) {
          const { id: fileId } = await fileInSight(context, actor, file);
          const command = { tapeId, corrections: { fileId }, on: generation };
          await startRerun(context, actor, command, originOf(args.request, context));
          return redirect(paths.tape(tapeId, { view: 'errored' }));
        },
      }),
    },
  );
}

const STEP =
  'flex size-6 flex-none items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent';

export default function CorrectFile() {
  const { tape, file, preview, fault } = useLoaderData<typeof loader>();
  const answer = useActionData() as ActionAnswer | undefined;
  const isSending = useNavigation().formData?.get('intent') === 'send';
  const faults =
    answer?.done === false ? Object.values(answer.lastResult.error ?? {}).flatMap((texts) => texts ?? []) : [];
  return (
    <div className="max-w-[60rem]">
      <PageHeader
        title="Correct rows in a file"
        facts={[
          <Name key="tape" length={60}>
            {tape.title}
          </Name>,
          `${formatCount(tape.errored, 'errored row')}`,
        ]}
        actions={<LinkButton to={paths.tape(tape.id, { view: 'errored' })}>Errored rows</LinkButton>}
      />
      {faults.length > 0 ? (
        <div className="mb-[18px]">
          <ErrorSummary formErrors={faults} faults={[]} />
        </div>
      ) : null}
      {fault ? (
        <Notice tone="danger">
          {file?.name} cannot be used. {fault}
        </Notice>
      ) : null}
      {preview && file ? (
        <FilePreview tape={tape} file={file} preview={preview} />
      ) : (
        <Panel padded>
          <ol className="space-y-5 text-sm">
            <li className="flex gap-3">
              <span className={STEP}>1</span>
              <div className="min-w-0 space-y-2">
                <p>Download the errored rows. Each has its row number and its reasons beside the cells as read.</p>
                <span className="flex flex-wrap gap-2">
                  <LinkButton
                    external
                    icon={Download}
                    to={paths.tapeExport(tape.id, { view: 'errored', format: 'xlsx' })}
                  >
                    Excel
                  </LinkButton>
                  <LinkButton
                    external
                    icon={Download}
                    to={paths.tapeExport(tape.id, { view: 'errored', format: 'csv' })}
                  >
                    CSV
                  </LinkButton>
                </span>
              </div>
            </li>
            <li className="flex gap-3">
              <span className={STEP}>2</span>
              <p className="min-w-0">
                Correct the cells that are wrong. Keep the headers and the column “Sheet row”; rows that you leave out
                or leave as they are stay errored.
              </p>
            </li>
            <li className="flex gap-3">
              <span className={STEP}>3</span>
              <PostForm encType="multipart/form-data" className="min-w-0 flex-1 space-y-3">
                <CsrfField />
                <input type="hidden" name="intent" value="send" />
                <label htmlFor="corrected-file" className="block">
                  Send the file back. You see what it comes to before anything is saved.
                </label>
                <input
                  id="corrected-file"
                  type="file"
                  name="files"
                  accept={TAPE_FILE_TYPES}
                  required
                  className="block w-full rounded-md border border-dashed border-field-line bg-canvas px-3 py-4 text-sm text-ink-2 file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:bg-hover"
                />
                <Button type="submit" tone="primary" aria-disabled={isSending || undefined}>
                  {isSending ? 'Sending' : 'Send and look'}
                </Button>
              </PostForm>
            </li>
          </ol>
        </Panel>
      )}
    </div>
  );
}

export { ErrorScreen as ErrorBoundary };
