// What a program may import from 'gatecheck/testcontainers', beside the optional peer testcontainers.

import { AbstractStartedContainer, GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { defaultEnterprises, type DefaultKeys } from './reference/enterprises.ts';

const port = 8080;

/** The reference deployment of both APIs in a container, for tests of clients in any language. */
export class GatecheckReferenceContainer extends GenericContainer {
  #seed = 1;

  /** `image` is what `docker build --target reference` of Gatecheck made. */
  constructor(image: string) {
    super(image);
    this.withExposedPorts(port)
      .withEnvironment({ GATECHECK_SERVE_PORT: String(port), GATECHECK_SERVE_STATE_HANDLER: 'on' })
      .withWaitStrategy(Wait.forHttp('/extPartner/api/webcheckin/requests', port).forStatusCode(401));
  }

  /** Seed of keys and ids; 1 where left out. */
  withSeed(seed: number): this {
    this.#seed = seed;
    return this.withEnvironment({ GATECHECK_SERVE_SEED: String(seed) });
  }

  /** Seeded mistakes, as `gatecheck serve --list-defects` names them. */
  withDefects(...ids: readonly string[]): this {
    return this.withEnvironment({ GATECHECK_SERVE_DEFECT: ids.join(',') });
  }

  /** Requests a minute and an hour; 60 and 1000 where left out. */
  withLimits(perMinute: number, perHour: number): this {
    return this.withEnvironment({ GATECHECK_SERVE_LIMITS: `${perMinute}/${perHour}` });
  }

  override async start(): Promise<StartedGatecheckReference> {
    return new StartedGatecheckReference(await super.start(), defaultEnterprises(this.#seed).keys);
  }
}

/** The reference in a container that stands. */
export class StartedGatecheckReference extends AbstractStartedContainer {
  /** API keys by role, as `gatecheck serve` prints them. */
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
