import { type ContainerRuntimeClient, getContainerRuntimeClient } from 'testcontainers';
import { targetError } from '../../core/errors.ts';

/** A container engine with Docker's interface: Docker, or Podman by its socket. */
export type Engine = ContainerRuntimeClient;

/** Finds the engine by `DOCKER_HOST`, the usual sockets and the configuration of testcontainers. */
export async function connectEngine(): Promise<Engine> {
  try {
    return await getContainerRuntimeClient();
  } catch (cause) {
    const asked = process.env.DOCKER_HOST ?? '/var/run/docker.sock and the sockets of the user';
    throw targetError(
      'ENGINE',
      `Expected a container engine to start the image with; none answered at ${asked}.`,
      'Start Docker or the Podman service, or name its socket in DOCKER_HOST.',
      cause,
    );
  }
}
