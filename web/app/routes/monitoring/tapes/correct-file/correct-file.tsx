import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { Download } from 'lucide-react';
import { storeAttachments } from '../../../../commands/form-files.server.ts';
import { Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Panel } from '../../../../components/page/section.tsx';
import { type ActionAnswer, act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { correctedFileSchema, rerunFileSchema } from '../correct-form.schema.ts';
import { correctionIntents, readCorrectFilePage, storedFileId, visibleFile } from '../correct-page.server.ts';
import { TAPE_FILE_TYPES } from '../upload-form.schema.ts';
import { FilePreview } from './file-preview.tsx';

export const handle = named<typeof loader>(
  ({ tape }) => [[tape.title, paths.tape(tape.id)], 'Correct in file'],
  ({ tape }) => `Correct rows in a file · ${tape.title}`,
);

export const loader = readScreen('assets/write', readCorrectFilePage);

export const action = act(
  {
    send: intent({
      permission: 'assets/write',
      schema: correctedFileSchema,
      async run({ attachments }, { context, actor, params: { id: tapeId = '' } }) {
        const file = await storedFileId(context, actor, attachments[0]?.key ?? '');
        return redirect(paths.correctFile(tapeId, { file }));
      },
    }),
    ...correctionIntents(rerunFileSchema, async ({ file }, { context, actor, params: { id: tapeId = '' } }) => {
      const { id: fileId } = await visibleFile(context, actor, file);
      return { tapeId, corrections: { fileId } };
    }),
  },
  { files: { permission: 'assets/write', store: storeAttachments() } },
);

const STEP =
  'flex size-6 flex-none items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent';

export default function CorrectFile() {
  const { tape, isProposal, file, preview, problem } = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const isSending = useNavigation().formData?.get('intent') === 'send';
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
      <ActionProblems answer={answer} />
      {isProposal ? (
        <Notice>
          Your corrections need the manager’s approval. The tape does not change until the manager accepts them.
        </Notice>
      ) : null}
      {problem ? (
        <Notice tone="danger">
          {file?.name} cannot be used. {problem}
        </Notice>
      ) : null}
      {preview && file ? (
        <FilePreview tape={tape} isProposal={isProposal} file={file} preview={preview} />
      ) : (
        <Panel padded>
          <ol className="space-y-5 text-sm">
            <li className="flex gap-3">
              <span className={STEP}>1</span>
              <div className="min-w-0 space-y-2">
                <p>Download the errored rows. Each row includes its row number, its source cells and its errors.</p>
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
                {isProposal
                  ? 'Correct only the cells named in the “Reasons” column.'
                  : 'Correct the cells with errors.'}{' '}
                Keep the headers and the “Sheet row” column. Rows that you omit or leave unchanged remain errored.
              </p>
            </li>
            <li className="flex gap-3">
              <span className={STEP}>3</span>
              <PostForm encType="multipart/form-data" className="min-w-0 flex-1 space-y-3">
                <CsrfField />
                <input type="hidden" name="intent" value="send" />
                <label htmlFor="corrected-file" className="block">
                  Upload the corrected file. You can preview the result before saving.
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
                  {isSending ? 'Uploading' : 'Upload and preview'}
                </Button>
              </PostForm>
            </li>
          </ol>
        </Panel>
      )}
    </div>
  );
}
