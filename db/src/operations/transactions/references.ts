import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NoteTerms } from '@tapeline/domain/facilities/terms.schema.ts';
import type { TransactionDocument, TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { Fund } from '../../entities/funds.ts';
import type { StoredNote } from '../../entities/lending.ts';
import { LegalEntity } from '../../entities/register.ts';
import type { Session } from '../../store.ts';

interface Reference {
  readonly kind: 'fund' | 'entity';
  readonly id: string;
  /** Of the field in the body, for the flag. */
  readonly path: string;
}

type ReferringNote = Omit<TransactionNote, 'contracts'>;

const payees = (terms: NoteTerms | null | undefined, path: string): Reference[] =>
  (terms?.fees ?? []).flatMap(({ payee }, index) =>
    payee && 'entity' in payee
      ? [{ kind: 'entity' as const, id: payee.entity, path: `${path}.fees.${index}.payee.entity` }]
      : [],
  );

/** The funds that hold notes, and the entities that advise on them or receive fees. */
function referencesOf(notes: readonly ReferringNote[]): Reference[] {
  return notes.flatMap((note, index) => {
    const at = `notes.${index}`;
    const counsels = (['counselsCompany', 'counselsManager'] as const).flatMap((list) =>
      (note[list] ?? []).map((id, place) => ({ kind: 'entity' as const, id, path: `${at}.${list}.${place}` })),
    );
    const funds = (note.holdings ?? []).flatMap(({ fund }, place) =>
      fund ? [{ kind: 'fund' as const, id: fund, path: `${at}.holdings.${place}.fund` }] : [],
    );
    return [
      ...funds,
      ...counsels,
      ...payees(note.terms, `${at}.terms`),
      ...note.tranches.flatMap(({ terms }, place) => payees(terms, `${at}.tranches.${place}.terms`)),
    ];
  });
}

const MESSAGES = {
  fund: { flag: 'is not a fund of this manager', message: 'A holding refers to an unknown fund' },
  entity: { flag: 'is not an entity of this manager', message: 'A counsel or payee is not in the register' },
} as const;

/**
 * Holdings must refer to funds of the transaction's manager, counsels and payees to entities of its register. What a
 * stored note already refers to can stay, whatever happened to it.
 * @throws Refusal badRequest with a flag at each unknown reference
 */
export async function checkReferences(
  session: Session,
  document: TransactionDocument,
  managerId: string,
  stored: readonly StoredNote[] = [],
): Promise<void> {
  const references = referencesOf(document.notes);
  if (references.length === 0) return;
  const kept = referencesOf(stored);
  const knownOf = async (kind: Reference['kind']): Promise<Set<string>> => {
    const wanted = references.filter((one) => one.kind === kind).map(({ id }) => id);
    const query = { id: { $in: [...new Set(wanted)] }, managerId, status: { $ne: 'Removed' as const } };
    const found =
      wanted.length === 0
        ? []
        : kind === 'fund'
          ? await session.em.find(Fund, query)
          : await session.em.find(LegalEntity, query);
    return new Set([...found, ...kept.filter((one) => one.kind === kind)].map(({ id }) => id));
  };
  const known = { fund: await knownOf('fund'), entity: await knownOf('entity') };
  const unknown = references.filter(({ kind, id }) => !known[kind].has(id));
  const [first] = unknown;
  if (!first) return;
  throw new Refusal('badRequest', MESSAGES[first.kind].message, {
    flags: Object.fromEntries(unknown.map(({ kind, path }) => [path, MESSAGES[kind].flag])),
  });
}
