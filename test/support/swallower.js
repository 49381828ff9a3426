import { createServer } from 'node:http';

// Listens with a queue of one, says at which port, and answers every request in the same way; a test stops the process,
// so that it takes no connection.

const [host, port] = process.argv.slice(2);
const server = createServer((_request, response) => {
  response.writeHead(418).end();
});
server.listen({ host, port: Number(port), backlog: 1 }, () => {
  console.log(server.address().port);
});
