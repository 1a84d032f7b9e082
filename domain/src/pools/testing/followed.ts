/** An asset that is followed from one tape to the next. */
export interface FollowedAsset {
  /** Null: it cannot be matched with an asset of the other tape. */
  readonly assetId: string | null;
  readonly row: number;
}

/** The assets of a tape by id: if several share an id, the last row counts. Those without an id are not followed. */
export function lastById<Asset extends FollowedAsset>(assets: readonly Asset[]): Map<string, Asset> {
  const last = new Map<string, Asset>();
  for (const asset of assets) {
    if (asset.assetId === null) continue;
    const known = last.get(asset.assetId);
    if (!known || known.row < asset.row) last.set(asset.assetId, asset);
  }
  return last;
}
