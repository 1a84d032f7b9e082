import type { Session } from '../../store.ts';

/** How many ids are stored at once. */
export const ASSET_IDS_AT_ONCE = 10_000;

/** Makes the assets of a published tape searchable by their id. Ids that are already known are left alone. */
export async function addAssetIds(
  session: Session,
  { tapeId, ids }: { tapeId: string; ids: readonly string[] },
): Promise<void> {
  await session.query(
    `insert into asset_ids (manager_id, company_id, key, asset_id)
       select t.manager_id, t.company_id, lower(asset.id), asset.id from loan_tapes t, unnest($2::text[]) as asset (id)
       where t.id = $1 and t.status <> 'Removed' and char_length(lower(asset.id)) between 1 and 1000
     on conflict do nothing`,
    [tapeId, ids],
  );
}

/** Makes assets of a company unsearchable that are on none of its published tapes any more. */
export async function removeAssetIds(
  session: Session,
  { companyId, ids }: { companyId: string; ids: readonly string[] },
): Promise<void> {
  await session.query(
    `delete from asset_ids using unnest($2::text[]) as gone (id) where company_id = $1 and key = lower(gone.id)`,
    [companyId, ids],
  );
}
