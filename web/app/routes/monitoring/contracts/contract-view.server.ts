import { getChat } from '@tapeline/db/operations/chats/chats.ts';
import { mappingChoices } from '@tapeline/db/operations/mappings/mappings.ts';
import type { Session } from '@tapeline/db/store.ts';
import { contractWarnings } from '@tapeline/domain/borrowing-base/contract-warnings.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { DEFAULT_VALUES } from '@tapeline/domain/facilities/pools.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import type { Screen } from '../../../http/screen.server.ts';
import { certifyingOf } from './certifying-labels.ts';
import { compareContracts } from './compare-contracts.ts';
import { readContract, termsOf } from './contract-page.server.ts';
import { valuesOfConditions } from './field-values.server.ts';
import { BLANK_EXCEPTION, BLANK_LINE, formOfItem } from './item-forms.ts';
import { viewItems } from './item-views.ts';
import { type ContractSection, isSection, SECTIONS, sectionItems } from './sections.ts';
import { tapeLimitsInWords } from './tape-limits-in-words.ts';
import { tryOnTape } from './trial.server.ts';

const editedIndex = (text: string | null, count: number): number | 'new' | null => {
  if (text === 'new') return 'new';
  const index = /^\d+$/.test(text ?? '') ? Number(text) : -1;
  return index >= 0 && index < count ? index : null;
};

const MAX_TITLE = 250;

type Line = { readonly path?: string };

/** The filter that the user's chat found, as a new item of a contract. Null for the chat of another user. */
async function itemOfChat(session: Session, id: string | null): Promise<Record<string, unknown> | null> {
  if (!id || !isId(id)) return null;
  const chat = await getChat(session, id).catch(nullIfRefused);
  const [task] = chat?.tasks ?? [];
  if (task?.list !== 'assets' || task.filter === undefined) return null;
  return { title: (chat?.title ?? task.sentence ?? '').slice(0, MAX_TITLE), filter: task.filter, enabled: true };
}

/**
 * Everything the contract's page shows at its address: the part, the item being edited, and the requested comparison.
 */
export async function viewContract(screen: Screen) {
  const { db, params, url, actor, context } = screen;
  const search = url.searchParams;
  const asked = search.get('tab');
  const section: ContractSection = isSection(asked) ? asked : 'eligibility';
  const { page, mappings, history, started } = await db(async (session) => {
    const read = await readContract(session, params.id ?? '', search);
    const { companyId, mappingId } = read.contract;
    const found =
      search.get('edit') === 'details'
        ? await mappingChoices(session, {
            companyIds: [companyId],
            search: search.get('findMapping'),
            chosen: mappingId ?? null,
          })
        : null;
    const changes = await documentHistory(session, [{ resource: 'contracts', ids: [read.contract.id] }], search);
    const asNew = search.get('edit') === 'new' ? await itemOfChat(session, search.get('chat')) : null;
    return { page: read, mappings: found, history: changes, started: asNew };
  });
  const { contract, terms, fields, before } = page;
  const earlier = before ? { contract: termsOf(before), name: `v${before.revision}` } : null;
  const items = sectionItems(terms, section);
  const isDraft = contract.status === 'Draft';
  const canWrite = can(actor, 'transactions/write') && page.transaction.status !== 'Closed';
  const index = isDraft && canWrite ? editedIndex(search.get('edit'), items.length) : null;
  const form =
    index === null ? null : formOfItem(section, index === 'new' ? started : (items[index] ?? null), fields.catalog);
  const rows = (form?.rows ?? []) as Line[];
  const exceptions = (form?.exceptions ?? []) as { rows?: Line[] }[];
  const used = [...rows, ...exceptions.flatMap((exception) => exception.rows ?? [])].flatMap(({ path }) => path ?? []);
  const known = await valuesOfConditions(screen, page.tape?.id ?? null, used, fields.offered);
  return {
    history,
    ...pick(contract, 'id', 'version', 'revision', 'status', 'cutOffDate'),
    title: terms.title ?? '',
    mappingId: contract.mappingId ?? '',
    mapping: fields.mapping,
    transaction: page.transaction,
    noteTitle: page.noteTitle,
    currency: page.currency,
    before: before && pick(before, 'id', 'revision', 'status'),
    versions: page.versions.map((version) => pick(version, 'id', 'revision', 'status')),
    section,
    counts: Object.fromEntries(SECTIONS.map((name) => [name, sectionItems(terms, name).length])) as Record<
      ContractSection,
      number
    >,
    warnings: contractWarnings(terms),
    items: viewItems(terms, section, fields.catalog, earlier),
    defaultRatePercent: terms.advanceRate.defaultRate,
    overlap: terms.overlap,
    certifying: certifyingOf(terms),
    certificationText: terms.certification?.text ?? '',
    tapeLimits: terms.tapeLimits ?? {},
    tapeLimitsInWords: tapeLimitsInWords(terms),
    editing:
      form === null || index === null
        ? null
        : {
            index,
            values: {
              ...form,
              rows: rows.length === 0 ? [BLANK_LINE] : rows,
              exceptions: [...exceptions, BLANK_EXCEPTION],
            } as Record<string, unknown>,
            offered: fields.offered,
            /** What the tape contains in the fields of the conditions, by path. */
            known,
            valueTitles: [...DEFAULT_VALUES, ...terms.values.map((value) => value.title)],
            /** A reserve is a part of a sum, not of an average. */
            sumTitles: [
              ...DEFAULT_VALUES,
              ...terms.values.filter(({ accumulator }) => accumulator === '$sum').map((value) => value.title),
            ],
            scopeTitles: terms.scopes.map((scope) => scope.title),
          },
    editsDetails: isDraft && canWrite && search.get('edit') === 'details',
    editsCertification: isDraft && canWrite && search.get('edit') === 'certification',
    editsTapeLimits: isDraft && canWrite && search.get('edit') === 'tapeLimits',
    editsOverlap: isDraft && canWrite && search.get('edit') === 'overlap',
    editsDefaultRate: isDraft && canWrite && search.get('edit') === 'default',
    mappings: (mappings?.choices ?? []).map(({ id, sheet, version }) => ({
      value: id,
      label: `${sheet}, v${version}`,
    })),
    mappingCounts: mappings && countsOf(mappings),
    changes: search.get('compare') && earlier ? compareContracts(earlier.contract, terms, fields.catalog) : null,
    tapes: page.tapes.choices,
    tapeCounts: countsOf(page.tapes),
    tapeId: page.tape?.id ?? null,
    isLatestTape: page.isLatestTape,
    // Without JavaScript a link requests the trial. With JavaScript the page requests it once it is rendered.
    answer: search.get('try') ? await tryOnTape({ context, actor }, page) : null,
    confirm: canWrite ? search.get('confirm') : null,
    canWrite,
    canEdit: isDraft && canWrite,
  };
}

export type ContractView = Awaited<ReturnType<typeof viewContract>>;
/** The rule, scope, case or value that is open for editing. */
export type Editing = NonNullable<ContractView['editing']>;
