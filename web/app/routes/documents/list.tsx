import { useLoaderData } from '@remix-run/react';
import { seesReaders } from '@tapeline/db/operations/activities/activities.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { named } from '../../components/page/page-name.ts';
import { skipOf } from '../../components/page/skip.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { askedKind, DocumentList, LISTED_PER_PAGE } from './document-list.tsx';
import { findDocuments, isInvestor, ownerOf } from './documents.server.ts';

export const handle = named<typeof loader>(
  ({ title, backTo }) => (title === null ? [] : [[title, backTo], 'Documents']),
  ({ title }) => (title === null ? 'Documents' : `Documents of ${title}`),
);

/** The documents of the fund, main fund, investor or facility in the address; without one those of all funds. */
export const loader = readScreen(null, ({ db, url, actor }) =>
  db(async (session) => {
    const owner = ownerOf(url, actor);
    const kind = askedKind(url);
    const page = { skip: skipOf(url.searchParams), limit: LISTED_PER_PAGE, kind };
    return {
      ...(await findDocuments(session, owner, page)),
      owner,
      kind,
      isInvestor: isInvestor(actor),
      withReads: !owner.transaction && seesReaders(session),
    };
  }),
);

export default function Documents() {
  const { owner, kind, withReads, isInvestor: isOwn, ...found } = useLoaderData<typeof loader>();
  const isOfOneInvestor = owner.investor !== undefined || (found.title === null && isOwn);
  const about = owner.transaction ? 'Belongs to' : isOfOneInvestor ? null : 'For';
  return (
    <DocumentList
      found={found}
      kind={kind}
      to={(one) => paths.documents(one ? { ...owner, kind: one } : owner)}
      about={about}
      withFund={isOfOneInvestor || found.title === null}
      withReads={withReads}
      {...(owner.transaction
        ? { empty: 'Loan tapes, files of draw requests, certificates and contracts are listed here.' }
        : {})}
      actions={
        found.documents.some(({ file }) => file) ? (
          <LinkButton to={paths.documentArchive(kind ? { ...owner, kind } : owner)} external>
            Download as zip
          </LinkButton>
        ) : null
      }
    />
  );
}
