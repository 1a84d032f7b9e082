import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NoteTerms } from '@tapeline/domain/facilities/terms.schema.ts';
import type { TransactionDocument, TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { Covenant } from '../../entities/covenants.ts';
import { Fund } from '../../entities/funds.ts';
import type { StoredNote } from '../../entities/lending.ts';
import { LegalEntity } from '../../entities/register.ts';
import type { Session } from '../../store.ts';

interface Reference {
  readonly kind: 'fund' | 'entity' | 'covenant';
  readonly id: string;
  /** The note that a covenant is of; undefined for a note that is not stored yet. */
  readonly note?: string | undefined;
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

const tests = (terms: NoteTerms | null | undefined, path: string, note: string | undefined): Reference[] => {
  const id = terms?.interest?.pricingGrid?.test?.covenant;
  return id ? [{ kind: 'covenant', id, note, path: `${path}.interest.pricingGrid.test.covenant` }] : [];
};

/** The funds that hold notes, the entities that advise on them or receive fees, and the covenants that price their interest. */
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
      ...[{ terms: note.terms, path: `${at}.terms` }]
        .concat(note.tranches.map(({ terms }, place) => ({ terms, path: `${at}.tranches.${place}.terms` })))
        .flatMap(({ terms, path }) => [...payees(terms, path), ...tests(terms, path, note.id)]),
    ];
  });
}

/** A covenant is known of its own note alone. */
const keyOf = ({ id, note = '' }: Pick<Reference, 'id' | 'note'>): string => `${note}/${id}`;

const MESSAGES = {
  fund: { flag: 'is not a fund of this manager', message: 'A holding refers to an unknown fund' },
  entity: { flag: 'is not an entity of this manager', message: 'A counsel or payee is not in the register' },
  covenant: {
    flag: 'is not a covenant of this note',
    message: 'A pricing grid names a covenant that its note does not have',
  },
} as const;

/**
 * Holdings must refer to funds of the transaction's manager, counsels and payees to entities of its register, and pricing
 * grids to covenants of their note. What a stored note already refers to can stay, whatever happened to it.
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
    const findAll = {
      fund: () => session.em.find(Fund, query),
      entity: () => session.em.find(LegalEntity, query),
      covenant: async () =>
        (await session.em.find(Covenant, query)).map(
          ({ id, noteId: note }): Pick<Reference, 'id' | 'note'> => ({ id, note }),
        ),
    };
    const found: readonly Pick<Reference, 'id' | 'note'>[] = wanted.length === 0 ? [] : await findAll[kind]();
    return new Set([...found, ...kept.filter((one) => one.kind === kind)].map(keyOf));
  };
  const known = { fund: await knownOf('fund'), entity: await knownOf('entity'), covenant: await knownOf('covenant') };
  const unknown = references.filter((one) => !known[one.kind].has(keyOf(one)));
  const [first] = unknown;
  if (!first) return;
  throw new Refusal('badRequest', MESSAGES[first.kind].message, {
    flags: Object.fromEntries(unknown.map(({ kind, path }) => [path, MESSAGES[kind].flag])),
  });
}
