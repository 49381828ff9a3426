// What a program may import from 'gatecheck/testcontainers', with the optional peer testcontainers.

import { AbstractStartedContainer, GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { defaultEnterprises, type DefaultKeys } from './reference/enterprises.ts';

const port = 8080;

/** The reference deployment of both APIs in a container, for tests of clients in any language. */
export class GatecheckReferenceContainer extends GenericContainer {
  #seed = 1;

  /** `image` was built by `docker build --target reference` of Gatecheck. */
  constructor(image: string) {
    super(image);
    this.withExposedPorts(port)
      .withEnvironment({ GATECHECK_SERVE_PORT: String(port), GATECHECK_SERVE_STATE_HANDLER: 'on' })
      .withWaitStrategy(Wait.forHttp('/extPartner/api/webcheckin/requests', port).forStatusCode(401));
  }

  /** Seed of keys and ids; by default 1. */
  withSeed(seed: number): this {
    this.#seed = seed;
    return this.withEnvironment({ GATECHECK_SERVE_SEED: String(seed) });
  }

  /** Seeded mistakes, as `gatecheck serve --list-defects` names them. */
  withDefects(...ids: readonly string[]): this {
    return this.withEnvironment({ GATECHECK_SERVE_DEFECT: ids.join(',') });
  }

  /** Requests per minute and hour; by default 60 and 1000. */
  withLimits(perMinute: number, perHour: number): this {
    return this.withEnvironment({ GATECHECK_SERVE_LIMITS: `${perMinute}/${perHour}` });
  }

  override async start(): Promise<StartedGatecheckReference> {
    return new StartedGatecheckReference(await super.start(), defaultEnterprises(this.#seed).keys);
  }
}

/** The reference in a running container. */
export class StartedGatecheckReference extends AbstractStartedContainer {
  /** API keys by role, as printed by `gatecheck serve`. */
  readonly keys: DefaultKeys;

  constructor(started: StartedTestContainer, keys: DefaultKeys) {
    super(started);
    this.keys = keys;
  }

  /** Base address of both APIs. */
  get url(): string {
    return `http://${this.getHost()}:${this.getMappedPort(port)}`;
  }

  get stateHandlerUrl(): string {
    return `${this.url}/_state`;
  }
}
