import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { publishAnnouncement } from '@tapeline/db/operations/announcements/announcements.ts';
import type { ToldInvestor } from '@tapeline/db/operations/capital/tell-investors.ts';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { lpChoices } from '@tapeline/db/operations/investors/investors.ts';
import { toldOf } from '@tapeline/db/operations/outbox/deliveries.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import { contentHash } from '@tapeline/db/operations/sent-requests/sent-requests.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  ANNOUNCEMENT_KIND_LABELS,
  ANNOUNCEMENT_KINDS,
  AUDIENCE_LABELS,
  MAX_FILES,
  NOBODY_TOLD,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { markdownToHtml } from '@tapeline/domain/communication/markdown.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import type { z } from 'zod';
import { requireFiles, storeAttachments } from '../../commands/form-files.server.ts';
import { formatCount } from '../../components/figures/format.ts';
import { Button } from '../../components/forms/button.tsx';
import { ChoiceSearch, countsOf } from '../../components/forms/choice-search.tsx';
import { DocumentsField, keptFiles } from '../../components/forms/documents-field.tsx';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { OTHER_INTENT } from '../../http/list-edits.ts';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { WhoIsToldSection } from '../capital/who-is-told.tsx';

import { announcementFormDescription, announcementFormSchema, kindSchema } from './announcement-form.ts';

export const handle = named('New announcement');

type Kind = z.infer<typeof kindSchema>;
const NOUNS = {
  funds: ['fund', 'funds'],
  LPs: ['investor', 'investors'],
  companies: ['borrower', 'borrowers'],
} as const;
const LABELS = {
  target: 'For',
  title: 'Title',
  subTitle: 'Subtitle',
  description: 'Text',
  files: 'Files',
  attachments: 'Files',
  disableEmail: 'Publish without emails',
};

async function targetsOf(session: Session, kind: Exclude<Kind, 'all'>, search: string | null) {
  const managerId = await tenantOf(session);
  if (kind === 'funds') {
    const found = await fundChoices(session, managerId, { search });
    const choices = found.choices.flatMap(({ id, name, classes }) => [
      { value: id, label: name },
      ...classes.map((one) => ({ value: `${id}/${one.uniqueKey}`, label: `${name}, ${classTitle(one.name)}` })),
    ]);
    return { kind, counts: countsOf(found), choices };
  }
  const found =
    kind === 'LPs' ? await lpChoices(session, managerId, { search }) : await companyChoices(session, { search });
  return { kind, counts: countsOf(found), choices: found.choices.map(({ id, name }) => ({ value: id, label: name })) };
}

export const loader = readScreenOfManager('announcements/write', ({ db, url }) =>
  db(async (session) => {
    const kind = kindSchema.catch('all').parse(url.searchParams.get('for'));
    return { kind, targets: kind === 'all' ? null : await targetsOf(session, kind, url.searchParams.get('find')) };
  }),
);

type Form = z.output<typeof announcementFormSchema>;

/** The body for publishing. @throws Refusal badRequest if files were refused */
function bodyOf({ kind, target, refused, files: _, previewed: __, attachments, ...form }: Form) {
  requireFiles({ refused });
  const { Class, id } = target ?? {};
  return { ...form, Class, resource: { kind, ...(id ? { id } : {}) }, files: attachments };
}

/** The entered values as the form's fields hold them. */
const enteredAnnouncement = ({ refused, files: _, previewed: __, target, disableEmail, ...form }: Form) => ({
  ...form,
  ...(target ? { target: target.Class ? `${target.id}/${target.Class}` : target.id } : {}),
  ...(disableEmail ? { disableEmail: 'on' } : {}),
});

export const action = act(
  {
    publish: intent({
      permission: 'announcements/write',
      schema: announcementFormSchema,
      async run(form, { db }) {
        const body = bodyOf(form);
        if (form.previewed !== contentHash(body)) {
          throw new Refusal(
            'badRequest',
            'This is not what the preview showed, and was not published. Preview it again.',
          );
        }
        const { id } = await db((session) => publishAnnouncement(session, body));
        return redirect(paths.announcement(id));
      },
    }),
    preview: intent({
      permission: 'announcements/write',
      schema: announcementFormSchema,
      async run(form, { dryRun }) {
        // The real publication, rolled back: it counts exactly those who would be told.
        const { published, told } = await dryRun(async (session) => {
          const one = await publishAnnouncement(session, bodyOf(form));
          return {
            published: one,
            told: await toldOf(session, 'announcements', { ids: [one.id], about: 'publication' }),
          };
        });
        const { title: head, subTitle: below, users, files: kept, disableEmail } = published;
        return Response.json({
          intent: 'preview',
          done: false,
          lastResult: { initialValue: enteredAnnouncement(form) },
          preview: {
            of: contentHash(bodyOf(form)),
            title: head,
            subTitle: below ?? null,
            html: markdownToHtml(form.description),
            users,
            files: kept.length,
            isMailed: !disableEmail,
            told: told
              .slice(0, MAX_TOLD_SHOWN)
              .map(({ documentId, party, ...person }) => ({ documentId, investor: party, told: [person] })),
          } satisfies PreviewOfAnnouncement,
        });
      },
    }),
  },
  { files: { permission: 'announcements/write', store: storeAttachments({ bucket: 'announcements' }) } },
);

interface PreviewOfAnnouncement {
  /** What it shows. Only that can be published. */
  of: string;
  title: string;
  subTitle: string | null;
  html: string;
  users: number | null;
  files: number;
  isMailed: boolean;
  /** The first of those who are told. */
  told: ToldInvestor[];
}

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  preview?: PreviewOfAnnouncement;
}

/** People whom a preview lists: an announcement can be for thousands. */
const MAX_TOLD_SHOWN = 200;

/** What the people it is for would read. */
function Preview({
  preview: { title: head, subTitle: below, html, users, files: count },
}: {
  preview: PreviewOfAnnouncement;
}) {
  return (
    <PanelSection title="Preview" note={`goes to ${formatCount(users ?? 0, 'person', 'people')}`} className="p-4">
      <h3 className="mb-1 text-lg font-semibold break-words">{head}</h3>
      {below ? <p className="mb-3 font-[550] break-words">{below}</p> : null}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from Markdown, without anyone's HTML or scripts */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      {count > 0 ? <p className="mt-3 text-xs text-ink-3">{`With ${formatCount(count, 'file')}`}</p> : null}
    </PanelSection>
  );
}

/** Who would be told, below the form and its preview. */
function Told({ preview: { users, told, isMailed } }: { preview: PreviewOfAnnouncement }) {
  return (
    <div className="mt-6">
      {users === 0 ? <Notice tone="warning">{NOBODY_TOLD}</Notice> : null}
      <WhoIsToldSection
        who={{ investors: told, isPast: false }}
        people={users ?? told.length}
        head="Of"
        when={isMailed ? 'by email and in the product' : 'in the product, without emails'}
      />
    </div>
  );
}

export default function NewAnnouncement() {
  const { kind, targets } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const kept = keptFiles(answer?.lastResult?.initialValue);
  const [form, fields] = useScreenForm('announcement', announcementFormDescription, { lastResult: answer?.lastResult });
  return (
    <>
      <PageHeader title="New announcement" facts={['The preview says who is told, before it is published']} />
      <Tabs
        label="Audience"
        tabs={ANNOUNCEMENT_KINDS.map((one) => ({
          label: ANNOUNCEMENT_KIND_LABELS[one],
          to: paths.newAnnouncement(one === 'all' ? {} : { for: one }),
          current: one === kind,
        }))}
      />
      {targets ? <ChoiceSearch id="find" name="find" noun={NOUNS[targets.kind]} counts={targets.counts} /> : null}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,46rem)_minmax(0,1fr)]">
        <ScreenForm form={form} intent="preview" labels={LABELS} encType="multipart/form-data" leavesBy="page">
          <input type="hidden" name="kind" value={kind} />
          {answer?.preview ? <input type="hidden" name="previewed" value={answer.preview.of} /> : null}
          <Panel className="grid gap-4 p-4">
            {targets ? (
              <SelectField
                key={kind}
                field={fields.target}
                label={LABELS.target}
                empty={AUDIENCE_LABELS[kind]}
                choices={targets.choices}
              />
            ) : null}
            <TextField field={fields.title} label={LABELS.title} />
            <TextField field={fields.subTitle} label={LABELS.subTitle} />
            <TextareaField
              field={fields.description}
              label={LABELS.description}
              rows={12}
              hint="Markdown: **bold**, lists with “- ”, [links](https://example.com)"
            />
            <DocumentsField field={fields.files} label={LABELS.files} most={MAX_FILES} kept={kept} />
            <CheckboxField field={fields.disableEmail} label={LABELS.disableEmail} />
          </Panel>
          <FormActions
            submit={answer?.preview ? 'Preview again' : 'Preview'}
            submitting="Preparing the preview"
            tone={answer?.preview ? 'plain' : 'primary'}
            cancelTo={paths.announcements()}
          >
            {answer?.preview ? (
              <Button type="submit" name={OTHER_INTENT} value="publish" tone="primary">
                Publish
              </Button>
            ) : null}
          </FormActions>
        </ScreenForm>
        {answer?.preview ? (
          <div className="max-xl:order-first" role="status">
            <Preview preview={answer.preview} />
          </div>
        ) : null}
      </div>
      {answer?.preview ? <Told preview={answer.preview} /> : null}
    </>
  );
}
