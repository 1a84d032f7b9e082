import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { storeAttachments } from '../../../../commands/form-files.server.ts';
import { scheduleTapes } from '../../../../commands/upload.server.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { CompanySearch } from '../../../../components/forms/company-picker.tsx';
import { quickCompany } from '../../../../components/organizations/quick-company.server.ts';
import type { CreatedCompany } from '../../../../components/organizations/quick-company-fields.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { readUploadChoices } from '../upload-choices.server.ts';
import { toUpload, uploadFormSchema } from '../upload-form.schema.ts';
import { UploadForm } from './upload-form.tsx';

export const handle = named('Upload', 'Upload tapes');

export const loader = readScreen('assets/write', readUploadChoices);

/** Turns a refusal that names single files into one error of the files field. */
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
  async run(form, { context, actor, request, confirmed }) {
    try {
      const origin = originOf(request, context);
      const { loanTapes, errors } = await scheduleTapes(context, actor, toUpload(form), origin, { confirmed });
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

export const action = act(
  { upload, ...quickCompany('upload', 'companyId') },
  { files: { permission: 'assets/write', store: storeAttachments() } },
);

interface Answer {
  lastResult: SubmissionResult<string[]>;
  /** Number of tapes being processed, if other files were refused. */
  started?: number;
  errors?: { attachment: string; message: string }[];
  /** The company that was created inside the form. */
  company?: CreatedCompany;
}

export default function UploadTapes() {
  const choices = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  return (
    <div className="max-w-[46rem]">
      <PageHeader title="Upload tapes" facts={['Excel workbooks (.xlsx) and .csv files', 'One tape per file']} />
      {answer?.errors ? (
        <>
          <Notice tone="good" action={<Link to={paths.tapes()}>View the tapes</Link>}>
            {formatCount(answer.started ?? 0, 'tape')} from this upload {answer.started === 1 ? 'is' : 'are'} being
            processed.
          </Notice>
          {answer.errors.map(({ attachment, message }) => (
            <Notice key={attachment} tone="danger">
              {attachment} was not accepted: {message}
            </Notice>
          ))}
        </>
      ) : null}
      <CompanySearch id="upload-find" picker={choices.picker} />
      <ChoiceSearch
        id="upload-find-mapping"
        name="findMapping"
        noun={['mapping version', 'mapping versions']}
        counts={choices.mappingCounts}
      />
      <UploadForm
        choices={choices}
        lastResult={answer && !answer.errors ? answer.lastResult : null}
        created={answer?.company}
      />
    </div>
  );
}
