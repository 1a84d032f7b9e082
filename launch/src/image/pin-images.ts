import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { imagesIn, withDigests } from './pinned-images.ts';

/**
 * Writes to the compose file and the Dockerfile which content each image from elsewhere has now, so that the same tag
 * with other content is refused. It asks the registries of images with Docker.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = ['docker-compose.yml', 'Dockerfile'].map((name) => join(root, name));
const texts = files.map((file) => readFileSync(file, 'utf8'));

const digests = new Map<string, string>();
for (const image of new Set(texts.flatMap(imagesIn))) {
  const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const digest = execFileSync('docker', inspect, { encoding: 'utf8' }).trim();
  digests.set(image, digest);
  process.stdout.write(`${image}@${digest}\n`);
}
for (const [at, file] of files.entries()) writeFileSync(file, withDigests(texts[at] ?? '', digests));
