import { useLoaderData } from '@remix-run/react';
import { skipOf } from '../../components/page/skip.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { askedKind, DocumentList, LISTED_PER_PAGE } from './document-list.tsx';
import { facilityDocuments } from './documents.server.ts';

export const handle = { title: 'Facility documents' };

/** The files of draw requests and loan tapes, the certificates and the contracts of all facilities. */
export const loader = readScreen('transactions/read', ({ db, url }) =>
  db(async (session) => {
    const kind = askedKind(url);
    const page = { skip: skipOf(url.searchParams), limit: LISTED_PER_PAGE, kind };
    return { ...(await facilityDocuments(session, null, page)), kind };
  }),
);

export default function FacilityDocuments() {
  const { kind, ...found } = useLoaderData<typeof loader>();
  return (
    <DocumentList
      found={found}
      kind={kind}
      to={(one) => paths.facilityDocuments(one ? { kind: one } : {})}
      about="Belongs to"
      empty="Loan tapes, files of draw requests, certificates and contracts are listed here."
    />
  );
}
