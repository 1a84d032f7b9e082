import { Company, LP, Manager, Permission, Role, User } from '../../entities/people.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';

const NAMED = [
  ['entity.name', 'Name', 'text', 't.name'],
  ['entity.formalId', 'Formal id', 'text', "(t.entity ->> 'formalId')"],
] as const;

export const MANAGERS = defineListable(Manager, 'managers', NAMED);
export const COMPANIES = defineListable(Company, 'companies', [
  ...NAMED,
  ['assoc.manager.id', 'Manager', 'text', 't.manager_id'],
]);
export const LPS = defineListable(LP, 'lps', [
  ['title', 'Title', 'text', 't.title'],
  ['entity.name', 'Name', 'text', "(t.entity ->> 'name')"],
  ['group.id', 'Group', 'text', 't.group_id'],
  ['assoc.manager.id', 'Manager', 'text', 't.manager_id'],
]);
export const USERS = defineListable(User, 'users', [
  ['firstName', 'First name', 'text', 't.first_name'],
  ['lastName', 'Last name', 'text', 't.last_name'],
  ['email', 'Email', 'text', 't.email'],
  ['type', 'Type', 'text', 't.type'],
  ['role', 'Role', 'text', 't.role_id'],
  ['lastVisited', 'Last visited', 'instant', 't.last_visited'],
]);

export const ROLES = defineListable(Role, 'roles', [
  ['title', 'Title', 'text', 't.title'],
  ['level', 'Level', 'number', 't.level'],
]);
export const PERMISSIONS = defineListable(Permission, 'permissions', [
  ['title', 'Title', 'text', 't.title'],
  ['key', 'Key', 'text', 't.key'],
]);

/** Companies in the actor's sight; every list takes `filter, skip, limit, sort` as the wire spells them. */
export const listCompanies = (session: Session, query: unknown = {}): Promise<Page<Company>> =>
  listDocuments(session, COMPANIES, query);

export const getCompany = (session: Session, id: string): Promise<Company> => getDocument(session, COMPANIES, id);

export const listManagers = (session: Session, query: unknown = {}): Promise<Page<Manager>> =>
  listDocuments(session, MANAGERS, query);

export const getManager = (session: Session, id: string): Promise<Manager> => getDocument(session, MANAGERS, id);

export const listLPs = (session: Session, query: unknown = {}): Promise<Page<LP>> => listDocuments(session, LPS, query);

export const listUsers = (session: Session, query: unknown = {}): Promise<Page<User>> =>
  listDocuments(session, USERS, query);

export const getUser = (session: Session, id: string): Promise<User> => getDocument(session, USERS, id);

/** The roles every tenant has, and those of the actor's own. */
export const listRoles = (session: Session, query: unknown = {}): Promise<Page<Role>> =>
  listDocuments(session, ROLES, query);

export const getRole = (session: Session, id: string): Promise<Role> => getDocument(session, ROLES, id);

export const listPermissions = (session: Session, query: unknown = {}): Promise<Page<Permission>> =>
  listDocuments(session, PERMISSIONS, query);
