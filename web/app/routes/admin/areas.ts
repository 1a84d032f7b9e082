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
    payments: 'Cash',
    'payments/release': 'Release of payment runs',
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
  const labels = Object.assign({}, ...Object.values(GROUPS)) as Readonly<Record<string, string>>;
  return labels[key] ?? labels[resourceOf(key)] ?? resourceOf(key);
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
    // A right that neither reads nor writes has a row of its own.
    write: byKey.get(`${resource}/write`) ?? byKey.get(resource) ?? null,
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
