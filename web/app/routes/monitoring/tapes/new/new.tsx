import type { SubmissionResult } from '@conform-to/react';
import { data, redirect } from '@remix-run/node';
import { Link, type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_PROPOSED_FILES } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { storeAttachments } from '../../../../commands/form-files.server.ts';
import { proposeTapes } from '../../../../commands/tape-proposals.server.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { CompanySearch } from '../../../../components/forms/company-picker.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import { act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { confirmNewFile } from '../../mappings/mapping-editor.server.ts';
import { readUploadChoices } from '../upload-choices.server.ts';
import { filesFormSchema, NEW_COMPANY, uploadFormSchema } from '../upload-form.schema.ts';
import { checkInForm } from './check-form.server.ts';
import { keepLatestInForm } from './latest-form.server.ts';
import { PickFiles } from './pick-files.tsx';
import { readProposedRules } from './proposed-rules.ts';
import { startFromForm } from './start.server.ts';
import type { CheckAnswer } from './tape-check.tsx';
import { type FilledTape, filledIn } from './tape-values.server.ts';

const REVIEW = loadedPart(() => import('./review.checks.tsx').then((part) => part.Review));

export const handle = named('Upload', 'Upload tapes');

export const loader = readScreen('assets/write', async (screen) => {
  const { searchParams } = screen.url;
  const company = searchParams.get('company');
  const files = (searchParams.get('files') ?? '').split(',').filter((id) => /^[0-9a-f]{24}$/.test(id));
  if (files.length === 0) return { step: 'files' as const, company };
  const choices = await readUploadChoices(screen);
  const decided = files.slice(0, MAX_PROPOSED_FILES).map((fileId) => ({
    fileId,
    companyId: company ?? undefined,
    cutOffDate: searchParams.get('date') ?? undefined,
  }));
  // An upload does not need a worker. A file that cannot be read now is checked when it is processed.
  const proposals = await proposeTapes(screen.context, screen.actor, decided, { isReadLater: true });
  return {
    step: 'review' as const,
    choices,
    tapes: proposals.flatMap((each) => ('problem' in each ? [] : [filledIn(each, choices)])),
    problems: proposals.flatMap((each) => ('problem' in each ? [{ name: each.name, problem: each.problem }] : [])),
  };
});

/** A look at one file again answers with all that changes, and the others stay as they are. */
export const shouldRevalidate = ({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  !['look', 'latestRows', 'check'].includes(String(formData?.get(OTHER_INTENT))) && defaultShouldRevalidate;

/** Turns a refusal that names single files into one error of the form. */
function asFormRefusal(refusal: Refusal): Refusal {
  const files = Object.entries(refusal.flags ?? {}).flatMap(([path, reason]) =>
    path.startsWith('attachments.') ? [`${path.slice('attachments.'.length)}: ${reason}`] : [],
  );
  return files.length === 0 ? refusal : new Refusal(refusal.code, files.join('\n'));
}

const pick = intent({
  permission: 'assets/write',
  schema: filesFormSchema,
  async run({ attachments, company }, screen) {
    const files: string[] = [];
    for (const { key } of attachments) files.push((await confirmNewFile(screen, key)).fileId);
    return redirect(paths.newTape({ company: company || undefined, files: [...new Set(files)].join(',') }));
  },
});

const upload = intent({
  permission: 'assets/write',
  schema: uploadFormSchema,
  async run(form, screen) {
    try {
      const { loanTapes, errors } = await startFromForm(screen, form);
      const [first] = loanTapes;
      if (errors.length > 0)
        return data({ intent: 'upload', done: true, lastResult: {}, started: loanTapes.length, errors });
      return redirect(first && loanTapes.length === 1 ? paths.tape(first.id) : paths.tapes());
    } catch (error) {
      throw isRefusal(error) ? asFormRefusal(error) : error;
    }
  },
});

const lookSchema = z.looseObject({
  tapes: z
    .array(
      z.looseObject({
        fileId: z.string().max(100),
        companyId: z.string().max(100).optional(),
        sheetName: z.string().max(255).optional(),
        cutOffDate: z.string().max(100).optional(),
        newCompany: z.looseObject({}).optional(),
        mapping: z.string().max(100).optional(),
        proposed: z.string().max(4_000_000).optional(),
        use: z.union([z.string(), z.array(z.string()).max(1_000)]).optional(),
        mainCurrency: z.string().max(3).optional(),
        latest: z.string().max(20_000).optional(),
      }),
    )
    .min(1)
    .max(MAX_PROPOSED_FILES),
});

type LookedForm = z.output<typeof lookSchema>;

/** The file that the address names. */
function fileOf({ url }: Pick<Screen, 'url'>, form: LookedForm): { index: number; tape: LookedForm['tapes'][number] } {
  const index = Number(url.searchParams.get('look'));
  const tape = form.tapes[index];
  if (!tape) throw new Refusal('badRequest', 'Reload the page and submit the form again');
  return { index, tape };
}

/**
 * Answers with one file as it is now. Without JavaScript the form is drawn again; with it, only the file changes.
 * @param renewed the fields that changed
 */
function withFile(
  form: LookedForm,
  { index, tape, renewed }: { index: number; tape: FilledTape; renewed: Partial<FilledTape> },
) {
  const tapes = form.tapes.map((each, at) => (at === index ? { ...each, ...renewed } : each));
  const lastResult = { initialValue: { ...form, tapes } };
  return data({ intent: 'upload', done: false, lastResult, look: { index, tape } });
}

/** Proposes again for the file whose company or sheet was changed; the rest of the form stays as it was entered. */
const look = intent({
  permission: 'assets/write',
  schema: lookSchema,
  async run(form, screen) {
    const { index, tape } = fileOf(screen, form);
    const [proposal] = await proposeTapes(screen.context, screen.actor, [
      {
        fileId: tape.fileId,
        companyId: tape.companyId === NEW_COMPANY ? null : tape.companyId || undefined,
        sheetName: tape.sheetName,
        cutOffDate: tape.cutOffDate,
      },
    ]);
    if (!proposal || 'problem' in proposal)
      throw new Refusal('badRequest', proposal?.problem ?? 'The file was removed');
    const filled = { ...filledIn(proposal, await readUploadChoices(screen)), latest: tape.latest ?? '' };
    const { proposed, mapping, use, sheetName } = filled;
    return withFile(form, { index, tape: filled, renewed: { proposed, mapping, use, sheetName } });
  },
});

/** Replaces a file by a new one with the latest row of each loan; the rest of the form stays as it was entered. */
const latestRows = intent({
  permission: 'assets/write',
  schema: lookSchema,
  async run(form, screen) {
    const { index, tape } = fileOf(screen, form);
    const columns = readProposedRules(tape.proposed)?.latest;
    if (!columns) throw new Refusal('badRequest', 'Reload the page and submit the form again');
    const filled = await keepLatestInForm(screen, tape, columns);
    const { fileId, key, name, latest, cutOffDate, proposed, mapping, use, sheetName } = filled;
    const renewed = { fileId, key, name, latest, cutOffDate, proposed, mapping, use, sheetName };
    return withFile(form, { index, tape: filled, renewed });
  },
});

/** Checks every row of one file with what the form chooses; the form stays as it was entered. */
const check = intent({
  permission: 'assets/write',
  schema: lookSchema,
  async run(form, screen) {
    const index = Number(screen.url.searchParams.get('check'));
    const tape = form.tapes[index];
    if (!tape) throw new Refusal('badRequest', 'Reload the page and submit the form again');
    const made = await checkInForm(screen, tape);
    return data({ intent: 'upload', done: false, lastResult: { initialValue: form }, check: { index, made } });
  },
});

export const action = act(
  { pick, upload, look, latestRows, check },
  { files: { permission: 'assets/write', store: storeAttachments() }, maxBytes: 16 * 1024 * 1024 },
);

interface Answer {
  intent?: string;
  lastResult: SubmissionResult<string[]>;
  /** Number of tapes being processed, if other files were refused. */
  started?: number;
  errors?: { attachment: string; message: string }[];
  /** A file that was looked at again. */
  look?: { index: number; tape: FilledTape };
  check?: CheckAnswer['check'];
}

export default function UploadTapes() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const isReview = page.step === 'review';
  return (
    <div className={isReview ? 'max-w-[60rem]' : 'max-w-[46rem]'}>
      <PageHeader
        title="Upload tapes"
        facts={
          isReview
            ? ['Check what was found in each file', 'Nothing has been saved yet']
            : ['Excel workbooks (.xlsx) and .csv files', 'One tape per file']
        }
      />
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
      {page.step === 'files' ? (
        <PickFiles company={page.company} lastResult={answer?.lastResult ?? null} />
      ) : (
        <>
          {page.problems.map(({ name, problem }) => (
            <Notice key={name} tone="danger">
              {name}: {problem}
            </Notice>
          ))}
          {answer?.errors ? null : page.tapes.length === 0 ? (
            <Notice action={<Link to={paths.newTape()}>Choose other files</Link>}>
              None of the files can be read as a loan tape.
            </Notice>
          ) : (
            <>
              <CompanySearch id="upload-find" picker={page.choices.picker} />
              <ChoiceSearch
                id="upload-find-mapping"
                name="findMapping"
                noun={['mapping version', 'mapping versions']}
                counts={page.choices.mappingCounts}
              />
              <ShownPart
                of={REVIEW}
                choices={page.choices}
                tapes={page.tapes}
                lastResult={answer?.lastResult ?? null}
                look={answer?.look ?? null}
                check={answer?.check ?? null}
              />
            </>
          )}
        </>
      )}
    </div>
  );
}
