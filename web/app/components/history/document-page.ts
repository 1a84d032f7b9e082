import { paths } from '../../routes/paths.ts';

/** The pages of documents, by collection. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  managers: paths.manager,
  companies: paths.company,
  LPs: paths.investor,
  LPGroups: paths.investorGroup,
  entities: paths.entity,
  serviceProviders: (id) => paths.serviceProvider(id),
  transactions: (id) => paths.transaction(id),
  contracts: (id) => paths.contract(id),
  loanTapes: (id) => paths.tape(id),
  assetsETLs: (id) => paths.mapping(id),
  borrowingBases: paths.borrowingBase,
  users: (id) => paths.user(id),
  roles: paths.role,
};

/** The page of a document; null if its collection has none, or the document can no longer be opened. */
export const documentPage = (of: {
  resource: string;
  documentId: string;
  isStored: boolean;
  isRemoved: boolean;
}): string | null =>
  of.isStored && !of.isRemoved && Object.hasOwn(PAGES, of.resource) ? PAGES[of.resource]!(of.documentId) : null;
