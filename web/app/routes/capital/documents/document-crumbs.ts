/** What the loader of a form for statements or reports returns, as the breadcrumb needs it. */
export interface OwnedForm {
  owner: { title: string; of: { fund?: string; mainFund?: string } } | null;
}

/** The fund or main fund of the form; null while it is chosen. */
export const ownerInCrumbs = ({ owner }: OwnedForm) =>
  owner && {
    id: owner.of.mainFund ?? owner.of.fund ?? '',
    title: owner.title,
    isMain: owner.of.mainFund !== undefined,
  };
