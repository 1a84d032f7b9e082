import { redirect } from '@remix-run/node';
import { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import {
  createScenario,
  getScenario,
  scenarioTerms,
  updateScenario,
} from '@tapeline/db/operations/scenarios/scenarios.ts';
import { contractVersions, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { operatorChoices } from '@tapeline/domain/filters/operator-choices.ts';
import { concentrationLimitInWords, percentInWords } from '@tapeline/domain/scenarios/change-words.ts';
import {
  RULE_LIST_LABELS,
  RULE_LISTS,
  SCENARIO_CHANGE_LABELS,
  type ScenarioChangeKind,
  scenarioChangeSchema,
} from '@tapeline/domain/scenarios/scenario.schema.ts';
import { act, type Intent, intent, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { CHANGE_FORMS, enteredChange, fieldOfPath, isKind } from './change-forms.ts';

/** The base and the stored changes that a form adds one to. */
async function opened(session: Session, { params: { id }, url }: Screen) {
  if (id !== undefined) {
    const scenario = await getScenario(session, id);
    if (scenario.baseId === null) throw new Refusal('notFound');
    return { scenario, base: await getBorrowingBase(session, scenario.baseId), changes: scenario.changes };
  }
  const asked = url.searchParams;
  const base = asked.get('base');
  if (base) return { scenario: null, base: await getBorrowingBase(session, base), changes: [] };
  // From the trial of a contract: the base of its note on that tape.
  const { noteId } = await getContract(session, asked.get('contract') ?? '');
  const found = await session.em.findOne(
    BorrowingBase,
    { noteId, status: 'Active', ...(asked.get('tape') ? { tapeId: asked.get('tape')! } : {}) },
    { orderBy: [{ cutOffDate: 'desc' }, { code: 'desc' }] },
  );
  if (!found) throw new Refusal('badRequest', 'The note has no borrowing base on this tape to compare with');
  return { scenario: null, base: await getBorrowingBase(session, found.id), changes: [] };
}

/** Every comparison is offered; one that does not fit the field is refused with a message. */
const COMPARISONS = operatorChoices({ path: '', label: '', type: 'number' }).map(({ operator, label }) => ({
  value: operator,
  label,
}));

/** What the form of a kind of change offers. */
export function readChangeForm(screen: Screen) {
  return screen.db(async (session) => {
    const { scenario, base, changes } = await opened(session, screen);
    const { contract, catalog, columns, tape } = await scenarioTerms(session, base, changes);
    const asked = screen.url.searchParams.get('kind');
    const kind = isKind(asked) ? asked : screen.url.searchParams.get('contract') ? 'contract' : 'rate';
    const contracts = await contractVersions(session, base.transactionId);
    const fields = catalog.fields.filter(({ path }) => columns.has(path));
    const choice = ({ path, label }: { path: string; label: string }) => ({ value: path, label });
    return {
      base: { id: base.id, cutOffDate: base.cutOffDate },
      scenario: scenario && { id: scenario.id, title: scenario.title },
      kind,
      kindLabel: SCENARIO_CHANGE_LABELS[kind],
      // A contract replaces what the other changes refer to, so it is the first.
      kinds: choicesOf(SCENARIO_CHANGE_LABELS).filter(({ value }) => value !== 'contract' || changes.length === 0),
      comparisons: COMPARISONS,
      contractId: screen.url.searchParams.get('contract') ?? '',
      contracts: contracts
        .filter(({ id, noteId }) => noteId === base.noteId && id !== base.contractId)
        .map(({ id, revision, status }) => ({ value: id, label: `v${revision}, ${status}` })),
      cases: [
        { value: '-1', label: `Default rate (${percentInWords(contract.advanceRate.defaultRate)})` },
        ...contract.advanceRate.cases.map(({ title, rate }, index) => ({
          value: String(index),
          label: `${title} (${percentInWords(rate)})`,
        })),
      ],
      limits: contract.concentrationRules.map(({ title, equator }, index) => ({
        value: String(index),
        label: `${title} (${concentrationLimitInWords(equator, equator.value)})`,
      })),
      rules: RULE_LISTS.flatMap((list) =>
        contract[list].flatMap(({ title, enabled }, index) =>
          enabled ? [{ value: `${list} ${index}`, label: `${RULE_LIST_LABELS[list]}: ${title}` }] : [],
        ),
      ),
      fields: fields.map(choice),
      texts: fields.filter(({ type }) => type === 'text').map(choice),
      currencies: [...new Set(['USD', ...Object.keys(tape.exchangeRates)])]
        .filter((code) => code !== tape.mainCurrency)
        .sort()
        .map((code) => ({ value: code, label: code })),
    };
  });
}

/** Runs an operation; what it says of a change, or of one before it, is said at the field of the form. */
async function atFields<Result>(kind: ScenarioChangeKind, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || !error.flags) throw error;
    const flags = Object.fromEntries(
      Object.entries(error.flags).map(([path, reason]) => [fieldOfPath(path, kind), reason]),
    );
    throw new Refusal(error.code, undefined, { flags });
  }
}

const INTENTS: Readonly<Record<string, Intent>> = Object.fromEntries(
  Object.entries(CHANGE_FORMS).map(([name, schema]) => [
    name,
    intent({
      permission: 'transactions/write',
      schema,
      async run(form, screen) {
        const kind = name as ScenarioChangeKind;
        const id = await screen.db((session) =>
          atFields(kind, async () => {
            const { scenario, base, changes } = await opened(session, screen);
            const { catalog } = await scenarioTerms(session, base, changes);
            const parsed = scenarioChangeSchema.safeParse(enteredChange(kind, form, catalog));
            if (!parsed.success) {
              const issues = parsed.error.issues.map(({ path, message }) => [
                fieldOfPath(['changes', 0, ...path].map(String).join('.'), kind),
                message,
              ]);
              throw new Refusal('badRequest', undefined, { flags: Object.fromEntries(issues) });
            }
            const all = parsed.data.kind === 'contract' ? [parsed.data, ...changes] : [...changes, parsed.data];
            if (scenario) {
              const { title, description, version } = scenario;
              const body = { title, description, changes: all, version };
              return (await updateScenario(session, { id: scenario.id, body })).id;
            }
            if (!form.title) throw new Refusal('badRequest', undefined, { flags: { title: REQUIRED } });
            const { title, description } = form;
            return (await createScenario(session, { borrowingBase: base.id, title, description, changes: all })).id;
          }),
        );
        return redirect(paths.scenario(id));
      },
    }),
  ]),
);

export const saveChange = act({
  create: {
    permission: 'transactions/write',
    read: (form) => INTENTS[isKind(form.get('kind')) ? String(form.get('kind')) : 'rate']!.read(form),
  },
});
