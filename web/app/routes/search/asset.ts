import { redirect } from '@remix-run/node';
import { listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { toDocuments } from '@tapeline/lake/asset-document.ts';
import { pageOfAssets } from '../../commands/asset-list.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

/** The latest tapes are read together, the earlier ones after them. */
const TAPES_AT_ONCE = 12;
const MAX_TAPES = 120;

/** Leads to the asset of a company on the latest published tape that has it. */
export const loader = readScreen('assets/read', async ({ actor, context, db, url }) => {
  const asset = (url.searchParams.get('asset') ?? '').slice(0, 1000);
  const company = idSchema.safeParse(url.searchParams.get('company')).data;
  if (!company || asset === '') throw new Refusal('notFound');
  const { documents } = await db((session) =>
    listTapes(session, {
      filter: { company, processStatus: 'Completed' },
      sort: { cutOffDate: -1 },
      limit: MAX_TAPES,
    }),
  );
  for (let from = 0; from < documents.length; from += TAPES_AT_ONCE) {
    const tapes = documents.slice(from, from + TAPES_AT_ONCE).map(({ id }) => id);
    const filter = { loanTape: { in: tapes }, assetId: { eq: asset } };
    const page = await pageOfAssets(context, actor, { filter, sort: { cutOffDate: -1 }, limit: 1 });
    const [found] = toDocuments(page);
    if (found) {
      const search = { view: 'assets', filter: JSON.stringify({ assetId: { eq: asset } }), asset: found.id };
      throw redirect(paths.tape(found.metadata.loanTapeId, search));
    }
  }
  throw new Refusal('notFound', 'No published tape has this asset now');
});
