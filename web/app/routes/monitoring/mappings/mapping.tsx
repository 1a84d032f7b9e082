import { Link, type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { getMapping, saveMappingVersion, versionsOfMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { FileUp } from 'lucide-react';
import { documentHistory } from '../../../commands/history.server.ts';
import { mayRemap } from '../../../commands/remap.server.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { loadedPart, ShownPart } from '../../../components/page/loaded-part.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DictionaryMenu } from './dictionary-menu.tsx';
import { draftOfMapping } from './draft.ts';
import { previewDraft } from './draft-preview.server.ts';
import { MAPPING_FORM } from './editor/mapping-form.ts';
import { needsReading, ruleOf } from './editor-address.ts';
import { mappingChanges } from './mapping-changes.ts';
import { answerEditor, type EditorAnswer, fileToTryOn, isAnswered, tapesToTryOn } from './mapping-editor.server.ts';
import { Versions } from './versions.tsx';

/** The editor checks its rules while they are written, so it has their schemas. */
const EDITOR = loadedPart(() => import('./editor/mapping-editor.checks.tsx').then((part) => part.MappingEditor));

export const handle = named<typeof loader>(
  ({ company, version }) => [company.name, `Version ${version}`],
  ({ company }) => `${company.name}, mapping`,
);
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => needsReading(args);

export const loader = readScreen('assets/ETL/read', async (screen) => {
  const { db, url, params, actor } = screen;
  const search = url.searchParams;
  const { mapping, versions, company, tapes, tape, file, history } = await db(async (session) => {
    const mapping = await getMapping(session, params.id ?? '');
    const { companyId } = mapping;
    const chosen = search.get('tape');
    const tapes = can(actor, 'assets/read') ? await tapesToTryOn(session, { companyId, chosen }) : null;
    const tapeId = chosen ?? (search.has('file') ? null : (tapes?.latestId ?? null));
    const versions = await versionsOfMapping(session, mapping);
    const documents = [{ resource: 'assetsETLs', ids: versions.map(({ id }) => id) }];
    return {
      mapping,
      tapes,
      versions,
      history: await documentHistory(session, documents, search),
      company: await getCompany(session, mapping.companyId),
      tape: tapeId && tapes ? await getTape(session, tapeId).catch(nullIfRefused) : null,
      // If a tape's file was deleted, only the preview is missing.
      file: await fileToTryOn(session, { tapeId, fileId: search.get('file') }).catch(nullIfRefused),
    };
  });
  const draft = draftOfMapping(mapping);
  const open = ruleOf(search);
  return {
    id: mapping.id,
    draft,
    open: open !== null && draft.rules[open] ? open : null,
    version: mapping.mappingVersion,
    latest: { id: versions[0]?.id ?? mapping.id, version: versions[0]?.mappingVersion ?? mapping.mappingVersion },
    company: { id: company.id, name: company.entity.name },
    tapes,
    versions: versions.map((one, index) => {
      const before = versions[index + 1];
      return {
        id: one.id,
        version: one.mappingVersion,
        savedAt: one.metadata.iat ?? null,
        savedBy: makerOf(one.metadata),
        rules: one.rules.length,
        changes: before
          ? mappingChanges({ ...before, rules: before.rules as [] }, { ...one, rules: one.rules as [] })
          : null,
      };
    }),
    preview: file && !isAnswered(screen) ? await previewDraft(screen, draft, file, open) : null,
    canEdit: can(actor, 'assets/ETL/write'),
    canUpload: can(actor, 'assets/write'),
    canReadTapes: can(actor, 'assets/read'),
    /** The file that the mapping was made from, if no tape was made from it yet. */
    newFile: file && file.tapeId === null ? file.fileId : null,
    hasUnstableIds: planMapping({ rules: mapping.rules }).hasUnstableIds,
    isSaved: search.has('saved'),
    /** The published tape that the mapping was changed on, if it can be processed with this version. */
    remap: tape && mayRemap(actor, tape) && tape.mappingId !== mapping.id ? tape.id : null,
    history,
  };
});

export const action = answerEditor(
  (screen, session, body, mappingVersion) =>
    saveMappingVersion(session, { id: screen.params.id ?? '', mappingVersion, body }),
  async ({ params }, session) => (await getMapping(session, params.id ?? '')).companyId,
  ({ actor, db, params }, query) =>
    db(async (session) => {
      if (!can(actor, 'assets/read')) return null;
      const { companyId } = await getMapping(session, params.id ?? '');
      return tapesToTryOn(session, { ...query, companyId });
    }),
);

export default function MappingScreen() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<EditorAnswer>();
  const { company, draft, latest, version, canEdit, canUpload, canReadTapes } = loaded;
  const isLatest = version === latest.version;
  return (
    <>
      <PageHeader
        title={`Mapping of ${company.name}`}
        chip={<Chip tone={isLatest ? 'good' : 'neutral'} dot>{`Version ${version}${isLatest ? ', in use' : ''}`}</Chip>}
        facts={[
          formatCount(draft.rules.length, 'rule'),
          <>
            sheet <b>{draft.loanTapeSheetName}</b>
          </>,
        ]}
        actions={
          <>
            {canReadTapes ? <DictionaryMenu companyId={company.id} /> : null}
            {canUpload ? (
              <LinkButton
                icon={FileUp}
                to={paths.newTape({
                  company: company.id,
                  files: loaded.newFile ?? undefined,
                  date: loaded.newFile && draft.cutOffDate ? draft.cutOffDate : undefined,
                })}
              >
                {loaded.newFile ? 'Process this tape' : 'Upload a tape'}
              </LinkButton>
            ) : null}
            {canEdit ? (
              <Button type="submit" form={MAPPING_FORM} name="edit" value="save" tone="primary">
                Save as version {latest.version + 1}
              </Button>
            ) : null}
          </>
        }
      />
      {loaded.isSaved && !answer ? (
        <Notice
          tone="good"
          action={
            loaded.remap ? (
              <Link to={paths.remapTape(loaded.remap, { mapping: loaded.id })}>Use it for the tape as well</Link>
            ) : undefined
          }
        >
          Version {version} is saved. New tape uploads will use it.
        </Notice>
      ) : null}
      {loaded.hasUnstableIds ? (
        <Notice tone="warning">
          The ids of this mapping are row numbers. Its tapes cannot be compared with other tapes.
        </Notice>
      ) : null}
      {isLatest ? null : (
        <Notice action={<Link to={paths.mapping(latest.id)}>Open version {latest.version}</Link>}>
          This is version {version}; version {latest.version} is in use.
          {canEdit ? ' Saving creates a new version based on this one.' : ''}
        </Notice>
      )}
      <ShownPart
        of={EDITOR}
        key={loaded.id}
        initial={{ draft, open: loaded.open, view: 'rules', json: null }}
        version={latest.version}
        canEdit={canEdit}
        preview={loaded.preview}
        tapes={loaded.tapes}
        answer={answer && 'state' in answer ? answer : undefined}
      />
      <Versions versions={loaded.versions} shownId={loaded.id} />
      {loaded.history ? (
        <HistorySection history={loaded.history} all={{ resource: 'assetsETLs', id: loaded.id }} />
      ) : null}
    </>
  );
}
