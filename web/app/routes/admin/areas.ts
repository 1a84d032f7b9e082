/** The areas of the product by group, as people who give permissions read them; the key is the permissions' resource. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Lending: {
    transactions: 'Facilities and contracts',
    assets: 'Loan tapes and assets',
    'assets/ETL': 'Mappings',
    borrowingBase: 'Borrowing bases',
    preview: 'File preview',
    transactionDraw: 'Draws',
    repayments: 'Repayments',
    companies: 'Borrowers',
  },
  Funds: {
    funds: 'Funds',
    LPs: 'Investors',
    'LPs/commitments': 'Commitments',
    contributions: 'Capital calls',
    distributions: 'Distributions',
    entities: 'Entities',
  },
  'Communication and administration': {
    announcements: 'Announcements',
    history: 'History',
    users: 'Users',
    roles: 'Roles and permissions',
    managers: 'Managers',
    importer: 'Import',
    tables: 'Lists',
  },
};
const OWN = "This installation's own";

/** One area, with the permissions that read and write it. Null if there is no such permission. */
export interface Area<Permission extends { key: string }> {
  resource: string;
  label: string;
  read: Permission | null;
  write: Permission | null;
}

export interface AreaGroup<Permission extends { key: string }> {
  group: string;
  areas: Area<Permission>[];
}

const resourceOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** The name of the area that a permission is about. */
export function areaLabel(key: string): string {
  const resource = resourceOf(key);
  return Object.values(GROUPS).find((areas) => Object.hasOwn(areas, resource))?.[resource] ?? resource;
}

/** Arranges permissions as a matrix: a row for each area, in its group. */
export function areasOf<Permission extends { key: string }>(
  permissions: readonly Permission[],
): AreaGroup<Permission>[] {
  const byKey = new Map(permissions.map((permission) => [permission.key, permission]));
  const areaOf = (resource: string, label: string): Area<Permission> => ({
    resource,
    label,
    read: byKey.get(`${resource}/read`) ?? null,
    write: byKey.get(`${resource}/write`) ?? null,
  });
  const known = new Set(Object.values(GROUPS).flatMap((areas) => Object.keys(areas)));
  const own = [...new Set(permissions.map(({ key }) => resourceOf(key)))].filter((resource) => !known.has(resource));
  const groups = [
    ...Object.entries(GROUPS).map(([group, areas]) => ({
      group,
      areas: Object.entries(areas).map(([resource, label]) => areaOf(resource, label)),
    })),
    { group: OWN, areas: own.toSorted().map((resource) => areaOf(resource, resource)) },
  ];
  return groups
    .map(({ group, areas }) => ({ group, areas: areas.filter(({ read, write }) => read || write) }))
    .filter(({ areas }) => areas.length > 0);
}
