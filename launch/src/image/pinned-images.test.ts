import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { imagesIn, withDigests } from './pinned-images.ts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

test('the images of the compose file and the Dockerfile are found, and none of our own', () => {
  const images = new Set(imagesIn(read('docker-compose.yml')));
  expect([...images].map((image) => image.split(':')[0]).sort()).toEqual([
    'axllent/mailpit',
    'chrislusf/seaweedfs',
    'nginx',
    'postgres',
    'temporalio/admin-tools',
    'temporalio/server',
    'temporalio/ui',
  ]);
  expect(imagesIn(read('Dockerfile')).map((image) => image.split(':')[0])).toEqual(['node']);
});

test('digests are added, replaced and never left out', () => {
  const digests = new Map([
    ['postgres:18.1', digest('a')],
    ['node:24.21.0-bookworm-slim', digest('b')],
  ]);
  const compose = `    image: postgres:18.1\n    image: tapeline-web\n`;
  const pinned = withDigests(compose, digests);
  expect(pinned).toBe(`    image: postgres:18.1@${digest('a')}\n    image: tapeline-web\n`);
  expect(withDigests(pinned, new Map([['postgres:18.1', digest('c')]]))).toContain(`postgres:18.1@${digest('c')}\n`);
  expect(withDigests('FROM node:24.21.0-bookworm-slim AS node\nFROM node AS base\n', digests)).toBe(
    `FROM node:24.21.0-bookworm-slim@${digest('b')} AS node\nFROM node AS base\n`,
  );
  expect(() => withDigests(compose, new Map())).toThrow('postgres:18.1 has no digest');
  expect(() => withDigests(compose, new Map([['postgres:18.1', 'not found']]))).toThrow('has no digest');
});
