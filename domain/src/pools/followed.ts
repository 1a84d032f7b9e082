/** An asset as it is followed from one tape to the next. */
export interface FollowedAsset {
  /** Null: nobody can say which asset of the other tape it is. */
  readonly assetId: string | null;
  readonly row: number;
}

/** The assets of a tape by id, each id once: of several with one id the last row counts. Those without an id are not followed. */
export function lastById<Asset extends FollowedAsset>(assets: readonly Asset[]): Map<string, Asset> {
  const last = new Map<string, Asset>();
  for (const asset of assets) {
    if (asset.assetId === null) continue;
    const known = last.get(asset.assetId);
    if (!known || known.row < asset.row) last.set(asset.assetId, asset);
  }
  return last;
}
