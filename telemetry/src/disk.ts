import { statfs } from 'node:fs/promises';
import { diskFree, diskSize } from './metrics.ts';

/** Shows the space of the disk with this folder in the metrics. */
export function observeDisk(folder: string): void {
  diskFree.observe(async () => {
    const { bavail, bsize } = await statfs(folder);
    return [[bavail * bsize, {}]];
  });
  diskSize.observe(async () => {
    const { blocks, bsize } = await statfs(folder);
    return [[blocks * bsize, {}]];
  });
}
