import type { SubmissionResult } from '@conform-to/react';
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { act, intent, readScreen } from '../../screen.server.ts';
import { originOf } from '../../session.server.ts';
import { storeFilesOfForm } from '../../tapes/form-files.server.ts';
import { scheduleTapes } from '../../tapes/upload.server.ts';
import { readUploadChoices } from '../../tapes/upload-choices.server.ts';
import { toUpload, uploadFormSchema } from '../../tapes/upload-form.schema.ts';
import { UploadForm } from './upload-form.tsx';

export const meta: MetaFunction = () => [{ title: 'Upload tapes · Tapeline' }];
export const handle: CrumbHandle = { crumbs: () => [{ label: 'Upload' }] };

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'assets/write', readUploadChoices);

/** A refusal that names files by their names, as one fault of the files field. */
function asFormRefusal(refusal: Refusal): Refusal {
  const files = Object.entries(refusal.flags ?? {}).flatMap(([path, reason]) =>
    path.startsWith('attachments.') ? [`${path.slice('attachments.'.length)}: ${reason}`] : [],
  );
  return files.length === 0
    ? refusal
    : new Refusal(refusal.code, refusal.message, { flags: { attachments: files.join('\n') } });
}

const upload = intent({
  permission: 'assets/write',
  schema: uploadFormSchema,
  async run(form, { context, actor, request }) {
    try {
      const { loanTapes, errors } = await scheduleTapes(context, actor, toUpload(form), originOf(request, context));
      const [first] = loanTapes;
      if (errors.length > 0)
        return Response.json({ intent: 'upload', done: true, lastResult: {}, started: loanTapes.length, errors });
      return redirect(
        first && loanTapes.length === 1 ? paths.tape(first.id) : paths.tapes({ company: form.companyId }),
      );
    } catch (error) {
      throw isRefusal(error) ? asFormRefusal(error) : error;
    }
  },
});

export async function action(args: ActionFunctionArgs) {
  const request = await readScreen(args, 'assets/write', storeFilesOfForm);
  return act({ ...args, request }, { upload });
}

interface Answer {
  lastResult: SubmissionResult<string[]>;
  /** Tapes in work beside files that were refused. */
  started?: number;
  errors?: { attachment: string; message: string }[];
}

export default function UploadTapes() {
  const choices = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  return (
    <div className="max-w-[46rem]">
      <PageHeader title="Upload tapes" facts={['Excel workbooks (.xlsx) and .csv files', 'one tape a file']} />
      {answer?.errors ? (
        <>
          <Notice tone="good" action={<Link to={paths.tapes()}>See the tapes</Link>}>
            {formatCount(answer.started ?? 0, 'tape')} of this upload {answer.started === 1 ? 'is' : 'are'} being
            processed.
          </Notice>
          {answer.errors.map(({ attachment, message }) => (
            <Notice key={attachment} tone="danger">
              {attachment} was not taken: {message}
            </Notice>
          ))}
        </>
      ) : null}
      <UploadForm choices={choices} lastResult={answer && !answer.errors ? answer.lastResult : null} />
    </div>
  );
}

export { ErrorScreen as ErrorBoundary };
