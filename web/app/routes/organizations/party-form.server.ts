import { redirect } from '@remix-run/node';
import { createCompany, getCompany, updateCompany } from '@tapeline/db/operations/companies/companies.ts';
import { type EntityView, getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { createLP, getLP, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { createManager, getManager, updateManager } from '@tapeline/db/operations/managers/managers.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import type { EntityReference } from '@tapeline/domain/entities/entity.schema.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { actOnOrganization } from '../../commands/organization-form.server.ts';
import type { newPartySchema, partyEditSchema } from '../../components/organizations/entity-form.ts';
import type { GroupChoices } from '../../components/organizations/investor-form.tsx';
import {
  changeEntity,
  entityReferenceOf,
  formData,
  sameEntity,
  shownEntity,
} from '../../components/organizations/organization-page.server.ts';
import { intent, readScreen, readScreenOfManager, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { groupChoices } from '../investors/group-choices.server.ts';
import { PARTIES } from './parties.tsx';
import { groupOf, NEW_PARTY_SCHEMAS, PARTY_EDIT_SCHEMAS, type PartyKind } from './party-schemas.ts';

interface StoredParty {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly domains: readonly string[];
  readonly entityId: string;
  readonly entity: EntityView;
}

/** How a kind of party is read and stored. */
interface Operations<Stored extends StoredParty, Create, Edit> {
  readonly permission: PermissionKey;
  /** Whether a new one belongs to a manager, which has to be chosen first. */
  readonly isOfManager: boolean;
  readonly get: (session: Session, id: string) => Promise<Stored>;
  readonly nameOf: (stored: Stored) => string;
  /** What the form shows that only this kind has. */
  readonly valuesOf: (stored: Stored) => Readonly<Record<string, unknown>>;
  readonly groups?: (session: Session, stored: Stored | null) => Promise<GroupChoices>;
  readonly create: (session: Session, form: Create, entity: EntityReference) => Promise<{ id: string }>;
  readonly update: (
    session: Session,
    form: Edit,
    stored: { id: string; entity: EntityReference },
  ) => Promise<{ id: string }>;
}

function formsOf<
  Stored extends StoredParty,
  Create extends z.ZodType<z.output<typeof newPartySchema>>,
  Edit extends z.ZodType<z.output<typeof partyEditSchema>>,
>(
  kind: PartyKind,
  { create, edit }: { create: Create; edit: Edit },
  operations: Operations<Stored, z.output<Create>, z.output<Edit>>,
) {
  const { permission, isOfManager, get } = operations;
  const { page } = PARTIES[kind];
  const readNew = ({ db, url, actor }: Screen) =>
    db(async (session) => {
      const entityId = url.searchParams.get('entity');
      return {
        kind,
        stored: null,
        entity: entityId ? shownEntity(await getEntity(session, entityId)) : null,
        editsEntity: can(actor, 'entities/write'),
        groups: (await operations.groups?.(session, null)) ?? null,
        fund: kind === 'investor' ? fundOf(url) : null,
        ...(await formData(session)),
      };
    });
  const readStored = ({ db, params, actor }: Screen) =>
    db(async (session) => {
      const stored = await get(session, params.id ?? '');
      const { id, version, status, domains, entity } = stored;
      const values = { domains: domains.join('\n'), status, partyVersion: String(version) };
      return {
        kind,
        stored: { id, name: operations.nameOf(stored), values: { ...values, ...operations.valuesOf(stored) } },
        entity: shownEntity(entity),
        editsEntity: can(actor, 'entities/write'),
        groups: (await operations.groups?.(session, stored)) ?? null,
        fund: null,
        ...(await formData(session)),
      };
    });
  return {
    new: (isOfManager ? readScreenOfManager : readScreen)(permission, readNew),
    edit: readScreen(permission, readStored),
    action: actOnOrganization({
      create: intent({
        permission,
        schema: create,
        async run(form, { db, url }) {
          const { id } = await db((session) => operations.create(session, form, entityReferenceOf(form)));
          const fund = kind === 'investor' ? fundOf(url) : null;
          return redirect(fund ? paths.newCommitment(fund, { investor: id }) : page(id));
        },
      }),
      save: intent({
        permission,
        schema: edit,
        async run(form, { db, params }) {
          const { id } = await db(async (session) => {
            const { id, entityId } = await get(session, params.id ?? '');
            if (form.entity) await changeEntity(session, entityId, form.entity, form.entityVersion);
            return operations.update(session, form, { id, entity: sameEntity(entityId) });
          });
          // The page of a manager has no tabs.
          return redirect(kind === 'manager' ? page(id) : `${page(id)}?view=details`);
        },
      }),
    }),
  };
}

/** The fund whose commitment the new investor is created for, as the address names it; null if it names none. */
function fundOf(url: URL): string | null {
  const fund = url.searchParams.get('fund') ?? '';
  return isId(fund) ? fund : null;
}

const entityName = ({ entity }: StoredParty) => entity.name;

const schemasOf = <Kind extends PartyKind>(kind: Kind) => ({
  create: NEW_PARTY_SCHEMAS[kind],
  edit: PARTY_EDIT_SCHEMAS[kind],
});

/** The loaders and the action of the form of each kind of party. */
export const PARTY_FORMS = {
  company: formsOf('company', schemasOf('company'), {
    permission: 'companies/write',
    isOfManager: true,
    get: getCompany,
    nameOf: entityName,
    valuesOf: ({ externalCode }) => ({ externalCode: externalCode ?? '' }),
    create: (session, { domains, externalCode }, entity) => createCompany(session, { domains, externalCode, entity }),
    update: (session, { domains, status, externalCode = null, partyVersion: version }, { id, entity }) =>
      updateCompany(session, { id, body: { domains, status, externalCode, version, entity } }),
  }),
  manager: formsOf('manager', schemasOf('manager'), {
    permission: 'managers/write',
    isOfManager: false,
    get: getManager,
    nameOf: entityName,
    valuesOf: ({ endsIdleSessions }) => ({ endsIdleSessions }),
    create: (session, { domains, endsIdleSessions }, entity) =>
      createManager(session, { domains, endsIdleSessions, entity }),
    update: (session, { domains, status, endsIdleSessions, partyVersion: version }, { id, entity }) =>
      updateManager(session, { id, body: { domains, status, endsIdleSessions, version, entity } }),
  }),
  investor: formsOf('investor', schemasOf('investor'), {
    permission: 'LPs/write',
    isOfManager: true,
    get: getLP,
    nameOf: ({ title }) => title,
    valuesOf: ({ title, groupId, externalCode }) => ({
      title,
      groupId: groupId ?? '',
      externalCode: externalCode ?? '',
    }),
    groups: (session, stored) => groupChoices(session, stored?.groupId ?? null),
    create: async (session, form, entity) =>
      createLP(session, {
        title: form.title ?? (entity.kind === 'new' ? entity.entity.name : (await getEntity(session, entity.id)).name),
        domains: form.domains,
        externalCode: form.externalCode,
        group: groupOf(form),
        entity,
      }),
    update: (session, form, { id, entity }) => {
      const { title, domains, status, externalCode = null, partyVersion: version } = form;
      const body = { title, domains, status, externalCode, version, group: groupOf(form), entity };
      return updateLP(session, { id, body });
    },
  }),
};

/** The kind of party whose form an address is. */
const AREAS: Readonly<Record<string, PartyKind>> = { monitoring: 'company', admin: 'manager', investors: 'investor' };

export const formsAt = (request: Request) =>
  PARTY_FORMS[AREAS[new URL(request.url).pathname.split('/')[1] ?? ''] ?? 'company'];
