import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import {
  CHART_FOLDER,
  CHART_RULES_FILE,
  chartSecrets,
  chartSettings,
  EXAMPLES,
  type Example,
  exampleFile,
  fingerprintLine,
  HELM_FOLDER,
  renderedFile,
  SCHEMA_FILE,
} from './chart.ts';

interface Container {
  name: string;
  command: string[];
  env: { name: string; value?: string }[];
  ports?: { name: string; containerPort: number }[];
  resources: Record<'requests' | 'limits', Record<string, string>>;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  livenessProbe?: { httpGet: { path: string; port: string } };
  readinessProbe?: { httpGet: { path: string; port: string } };
  startupProbe?: { httpGet: { path: string; port: string } };
}

interface Pod {
  securityContext: Record<string, unknown>;
  initContainers?: Container[];
  containers: Container[];
  volumes: {
    name: string;
    emptyDir?: { sizeLimit: string };
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
}

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec?: {
    replicas?: number;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: Pod };
    scaleTargetRef?: { kind: string; name: string };
    rules?: { host: string; http: { paths: { backend: { service: { name: string } } }[] } }[];
    endpoints?: { port: string; path: string }[];
    ports?: { name: string; targetPort: string }[];
  };
}

const rendered = (name: Example): Resource[] =>
  parseAllDocuments(readFileSync(renderedFile(name), 'utf8')).flatMap((document) => {
    const resource = document.toJS() as Resource | null;
    return resource === null ? [] : [resource];
  });

const resources = Object.fromEntries(EXAMPLES.map((name) => [name, rendered(name)])) as Record<Example, Resource[]>;
const podsOf = (name: Example) =>
  resources[name].flatMap(({ kind, metadata, spec }) =>
    spec?.template ? [{ kind, name: metadata.name, pod: spec.template.spec }] : [],
  );
const containersOf = (pod: Pod) => [...(pod.initContainers ?? []), ...pod.containers];

const DEFINITIONS: Record<string, string> = {
  'apps/v1': 'apps.v1',
  'batch/v1': 'batch.v1',
  v1: 'core.v1',
  'networking.k8s.io/v1': 'networking.v1',
  'policy/v1': 'policy.v1',
  'autoscaling/v2': 'autoscaling.v2',
};

/** Kubernetes itself doesn't know these kinds. */
const OF_THE_PROMETHEUS_OPERATOR = ['ServiceMonitor', 'PrometheusRule'];

/** Kubernetes' own schemas, which know no further fields. */
function kubernetes(version: string): (resource: Resource) => ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(readFileSync(join(HELM_FOLDER, 'schemas', `kubernetes-${version}.json`), 'utf8')), 'k8s');
  return ({ apiVersion, kind }) => {
    const check = ajv.getSchema(`k8s#/$defs/io.k8s.api.${DEFINITIONS[apiVersion]}.${kind}`);
    if (!check) throw new Error(`there is no schema of ${apiVersion} ${kind}`);
    return check;
  };
}

/** Volumes with files of Kubernetes Secrets, which are only read. */
const MOUNTED_SECRETS = ['secrets', 'certificates'];

const valuesSchema = () => new Ajv({ strict: false }).compile(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')));
const usual = parse(readFileSync(join(CHART_FOLDER, 'values.yaml'), 'utf8'));
const least = parse(readFileSync(exampleFile('least'), 'utf8'));

test.each(EXAMPLES)('the rendered chart is the present one: %s', (name) => {
  // If this fails: `npm run chart` renders it again, which needs Go.
  expect(readFileSync(renderedFile(name), 'utf8').split('\n', 1)[0]).toBe(fingerprintLine(name));
});

test.each(['1.30', '1.37'])('Kubernetes %s knows every resource and field of the rendered chart', (version) => {
  const schemaOf = kubernetes(version);
  const problems = EXAMPLES.flatMap((name) =>
    resources[name]
      .filter(({ kind }) => !OF_THE_PROMETHEUS_OPERATOR.includes(kind))
      .flatMap((resource) => {
        const check = schemaOf(resource);
        const isKnown: boolean = check(resource);
        return isKnown ? [] : [`${resource.kind} ${resource.metadata.name}: ${JSON.stringify(check.errors)}`];
      }),
  );
  expect(problems).toEqual([]);
});

test('the schemas refuse what Kubernetes would refuse', () => {
  const deployment = resources.least.find(({ kind }) => kind === 'Deployment') as Resource;
  const check = kubernetes('1.30')(deployment);
  expect(check(deployment)).toBe(true);
  expect(check({ ...deployment, spec: { ...deployment.spec, replicaz: 2 } })).toBe(false);
  expect(check({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } })).toBe(false);
  expect(check({ ...deployment, spec: { ...deployment.spec, selector: undefined, template: null } })).toBe(false);
});

test('every setting can be given by its name, and secrets only by reference', () => {
  const { settings, secrets } = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')).properties;
  expect(Object.keys(settings.properties)).toEqual(chartSettings());
  expect(Object.keys(secrets.properties)).toEqual(chartSecrets());
  for (const secret of ['APP_SECRET', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY'])
    expect(settings.properties).not.toHaveProperty(secret);
});

test('values are checked: names, types and what must be given', () => {
  const check = valuesSchema();
  const merged = (settings: object, more: object = {}) => ({
    ...usual,
    secrets: least.secrets,
    ...more,
    settings: { ...usual.settings, ...least.settings, ...settings },
  });
  expect(check(merged({})), JSON.stringify(check.errors)).toBe(true);
  expect(check(usual)).toBe(false);
  expect(check(merged({ PUBLIC_ULR: 'https://tapeline.example.com' }))).toBe(false);
  expect(check(merged({ TAPE_BATCH_ROWS: 100_000 }))).toBe(false);
  expect(check(merged({ APP_SECRET: 'in plain text' }))).toBe(false);
  expect(check(merged({}, { secrets: { APP_SECRET: { name: 'tapeline', key: 'app-secret' } } }))).toBe(false);
  expect(check(merged({}, { image: { ...usual.image, digest: 'sha256:12' } }))).toBe(false);
});

test.each(EXAMPLES)('no program runs as root, writes outside its working files or is unlimited: %s', (name) => {
  const pods = podsOf(name);
  expect(pods.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Deployment', 'Job']);
  for (const { pod } of pods) {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const { name: volume, emptyDir } of pod.volumes.filter((one) => !MOUNTED_SECRETS.includes(one.name))) {
      expect(emptyDir?.sizeLimit, volume).toMatch(/^\d+Gi$/);
    }
    for (const container of containersOf(pod)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container.resources.limits).sort()).toEqual(['cpu', 'memory']);
      expect(Object.keys(container.resources.requests).sort()).toEqual(['cpu', 'memory']);
      expect(container.volumeMounts.flatMap(({ mountPath, readOnly }) => (readOnly ? [] : [mountPath]))).toEqual([
        '/var/lib/tapeline',
        '/tmp',
      ]);
      const mounted = container.volumeMounts.flatMap(({ mountPath, readOnly }) => (readOnly ? [mountPath] : []));
      expect(mounted).toEqual(['/run/tapeline', ...(name === 'full' ? ['/run/certificates'] : [])]);
    }
  }
});

test.each(EXAMPLES)('every program that is run exists, and what keeps running is checked for health: %s', (name) => {
  for (const { kind, pod } of podsOf(name)) {
    for (const { command, env, ports, ...container } of containersOf(pod)) {
      expect(readFileSync(join(HELM_FOLDER, '../..', command[1] ?? ''), 'utf8').length).toBeGreaterThan(0);
      if (kind === 'Job') continue;
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      // Web processes answer while only the object storage is down.
      const ready = command[1] === 'web/server.ts' ? '/readyz?accept=degraded' : '/readyz';
      expect(probes.map((probe) => probe?.httpGet.path)).toEqual(['/healthz', '/healthz', ready]);
      const listening = env.filter((one) => /^(METRICS_)?PORT$/.test(one.name)).map((one) => Number(one.value));
      for (const probe of probes) {
        const port = ports?.find((one) => one.name === probe?.httpGet.port)?.containerPort;
        expect(listening).toContain(port);
      }
    }
  }
});

test('the programs get every secret as a file, and only the migrations know the owner of the tables', () => {
  const { secrets } = parse(readFileSync(exampleFile('full'), 'utf8'));
  for (const { kind, pod } of podsOf('full')) {
    const mounted = pod.volumes.flatMap(({ projected }) => projected?.sources ?? []);
    const paths = mounted.flatMap(({ secret }) => secret.items.map(({ path }) => path)).sort();
    const expected = [...Object.keys(secrets), ...(kind === 'Job' ? ['DATABASE_ADMIN_URL'] : [])].sort();
    expect(paths).toEqual(expected);
    for (const { env } of containersOf(pod)) {
      const files = env.filter((one) => one.name.endsWith('_FILE')).map(({ value }) => value);
      expect(files.sort()).toEqual(expected.map((path) => `/run/tapeline/${path}`));
    }
  }
});

test.each(EXAMPLES)('the folder for working files holds the caches and what is spilled: %s', (name) => {
  for (const { kind, pod } of podsOf(name)) {
    if (kind === 'Job') continue;
    const env = pod.containers[0]?.env;
    const gb = (setting: string) => Number(env?.find((one) => one.name === setting)?.value);
    const home = pod.volumes.find((volume) => volume.name === 'home')?.emptyDir?.sizeLimit ?? '';
    // A cache exceeds its limit by a tenth; a web process spills queries and exports, a worker process jobs.
    const most = gb('OBJECT_CACHE_GB') * 1.1 + gb('SPILL_GB') * 2 + gb('ROW_FILES_GB');
    expect(Number.parseInt(home, 10)).toBeGreaterThanOrEqual(most);
  }
});

test('numbers keep their digits', () => {
  for (const { pod } of podsOf('full')) {
    const given = pod.containers[0]?.env.find((one) => one.name === 'TAPE_BATCH_ROWS');
    expect(given?.value).toBe('1000000');
  }
});

test('each selector finds exactly the pods it is meant for', () => {
  const pods = resources.full.flatMap(({ metadata, spec }) =>
    spec?.template ? [{ name: metadata.name, labels: spec.template.metadata.labels }] : [],
  );
  const found = (selector: Record<string, unknown>) =>
    pods
      .filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value))
      .map((pod) => pod.name);
  const finds = (kind: string, name: string) => {
    const selector = resources.full.find((one) => one.kind === kind && one.metadata.name === name)?.spec?.selector;
    return found(selector?.matchLabels ?? selector ?? {});
  };
  expect(finds('Service', 'tapeline')).toEqual(['tapeline-web']);
  for (const name of ['tapeline-web', 'tapeline-worker']) {
    expect(finds('Deployment', name)).toEqual([name]);
    expect(finds('PodDisruptionBudget', name)).toEqual([name]);
  }
});

test('what is optional is there only if it is switched on', () => {
  const kinds = (name: Example) => resources[name].map(({ kind }) => kind);
  for (const kind of ['Ingress', 'HorizontalPodAutoscaler', ...OF_THE_PROMETHEUS_OPERATOR]) {
    expect(kinds('least')).not.toContain(kind);
    expect(kinds('full')).toContain(kind);
  }
  const of = (kind: string) => resources.full.filter((one) => one.kind === kind);
  for (const { spec } of of('Deployment')) expect(spec?.replicas).toBeUndefined();
  expect(of('HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef?.name)).toEqual(
    of('Deployment').map(({ metadata }) => metadata.name),
  );
  expect(of('Ingress')[0]?.spec?.rules?.[0]?.host).toBe('tapeline.example.com');
  const metrics = of('Service').find(({ metadata }) => metadata.name === 'tapeline-metrics');
  expect(of('ServiceMonitor')[0]?.spec?.selector?.matchLabels).toEqual(
    expect.objectContaining({ 'app.kubernetes.io/component': metrics?.metadata.labels['app.kubernetes.io/component'] }),
  );
  expect(of('ServiceMonitor')[0]?.spec?.endpoints?.[0]?.port).toBe(metrics?.spec?.ports?.[0]?.name);
  expect(of('PrometheusRule')[0]?.spec).toEqual(parse(readFileSync(CHART_RULES_FILE, 'utf8')));
});
