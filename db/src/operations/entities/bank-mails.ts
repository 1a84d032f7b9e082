import { isDeepStrictEqual } from 'node:util';
import { COLLECTIONS, type RecordedName } from '@tapeline/domain/collections/collections.ts';
import { banksChangedMail, ownBanksChangedMail } from '@tapeline/domain/mail/entity-mails.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { PARTIES } from '../../collections/collections.ts';
import { LegalEntity } from '../../entities/register.ts';
import { asProgram, type Session } from '../../store.ts';
import { findRecipients, readersOfEach } from '../outbox/readers.ts';
import { type Message, tellAll } from '../outbox/tell.ts';

type Banks = LegalEntity['banks'];

/** A document that is the entity in some role. */
interface Party {
  readonly resource: RecordedName;
  readonly id: string;
  readonly name: string;
}

const PARTIES_OF_ENTITY = `${PARTIES.map(
  ({ name, title, table, isEntity }) =>
    `select '${name}' as resource, id, ${title} as name from ${table} where ${isEntity} and status <> 'Removed'`,
).join(' union all ')} order by 1, 3, 2`;

/** An account that was written differently is the same account: missing and empty fields are equal. */
const comparable = (banks: Banks): unknown =>
  banks.map((bank) => Object.fromEntries(Object.entries(bank).filter(([, value]) => value != null && value !== '')));

export const areSameBanks = (one: Banks, other: Banks): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other));

/** The people of an investor or a company are told of their own accounts. */
function ownMessage(party: Party, managerId: string, key: string): Message | null {
  const { resource, id, name } = party;
  const about = { kind: 'bankDetailsChanged' as const, resource, documentId: id, key: `${key}/${id}` };
  if (resource === 'LPs') {
    const to = { LP: id, ofManager: managerId, can: 'LPs/read' } as const;
    return { ...ownBanksChangedMail(name, MAIL_PAGES.investor(id), 'Open the investor'), ...about, to };
  }
  if (resource === 'companies') {
    const to = { company: id, can: 'companies/read' } as const;
    return { ...ownBanksChangedMail(name, MAIL_PAGES.company(id), 'Open the borrower'), ...about, to };
  }
  return null;
}

/**
 * The manager's people who keep the register, by the parties that they may see: each is told of those only. Called as the
 * program.
 */
async function registrarsByParties(
  session: Session,
  entity: Pick<LegalEntity, 'id' | 'managerId'>,
  parties: readonly Party[],
): Promise<{ readonly users: readonly string[]; readonly parties: readonly Party[] }[]> {
  const to = [{ manager: entity.managerId, can: 'entities/write' }] as const;
  const document = { resource: 'entities', documentId: entity.id };
  const [registrars = []] = await findRecipients(session, [{ document, to }]);
  const seen = new Map<string, Party[]>(registrars.map(({ userId }) => [userId, []]));
  const readers = await readersOfEach(
    session,
    parties.map(({ resource, id: documentId }) => {
      const actors = registrars.filter((actor) => can(actor, COLLECTIONS[resource].read));
      return { document: { resource, documentId }, actors };
    }),
  );
  for (const [index, party] of parties.entries()) {
    for (const { userId } of readers[index] ?? []) seen.get(userId)?.push(party);
  }
  const groups = Map.groupBy(seen, ([, own]) => own.map(({ id }) => id).join());
  return [...groups.values()].map((group) => ({ users: group.map(([id]) => id), parties: group[0]![1] }));
}

/**
 * Tells those concerned that payments to these parties go to other accounts: the manager's people who keep the register,
 * and the people of the investor or company themselves. Whoever changed it is told too, because the change may have been
 * made by somebody else in their name.
 */
async function tellOfBanks(
  session: Session,
  entity: Pick<LegalEntity, 'id' | 'name' | 'managerId'>,
  parties: readonly Party[],
  key: string,
): Promise<void> {
  if (parties.length === 0) return;
  const { actor } = session;
  const changedBy = actor.kind === 'system' ? actor.name : `${actor.firstName} ${actor.lastName}`.trim() || actor.email;
  const own = parties.flatMap((party) => ownMessage(party, entity.managerId, key) ?? []);
  await session.em.flush();
  const groups = await asProgram(session, () => registrarsByParties(session, entity, parties));
  const toRegistrars = groups.map(
    ({ users, parties: visible }): Message => ({
      ...banksChangedMail({
        entityId: entity.id,
        entityName: entity.name,
        parties: visible.map(({ resource, name }) => `${COLLECTIONS[resource].one} ${name}`),
        changedBy,
      }),
      kind: 'bankDetailsChanged',
      resource: 'entities',
      documentId: entity.id,
      key,
      to: { users },
    }),
  );
  await tellAll(session, [...toRegistrars, ...own]);
}

/** The accounts of an entity were changed, for every party that refers to it. */
export async function tellOfChangedBanks(session: Session, entity: LegalEntity, before: Banks): Promise<void> {
  if (areSameBanks(before, entity.banks)) return;
  const parties = await asProgram(session, () => session.query<Party>(PARTIES_OF_ENTITY, [entity.id]));
  await tellOfBanks(session, entity, parties, `bankDetails/${entity.id}/${entity.version}`);
}

/**
 * A party refers to another entity from now on, whose accounts may be others.
 * @param command.version of the party after the change
 */
export async function tellOfOtherEntity(
  session: Session,
  command: Party & { version: number; before: string | null | undefined; after: string | null | undefined },
): Promise<void> {
  const { before, after, version, ...party } = command;
  if (before === after) return;
  const entities = await session.em.find(LegalEntity, { id: { $in: [before, after].filter((id) => id != null) } });
  const [old, current] = [before, after].map((id) => entities.find((entity) => entity.id === id));
  const entity = current ?? old;
  if (!entity || areSameBanks(old?.banks ?? [], current?.banks ?? [])) return;
  await tellOfBanks(session, entity, [party], `bankDetails/${party.id}/${version}`);
}
