import { connect } from 'node:http2';

const METHOD = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/**
 * Whether a Temporal server answers at `host:port` and knows the namespace. Speaks gRPC by hand (one frame over
 * HTTP/2), so that launching needs no native Temporal client.
 */
export function temporalAnswers(address: string, namespace: string, timeoutMs = 2000): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const finish = (answer: boolean) => {
      clearTimeout(limit);
      session.destroy();
      resolve(answer);
    };
    const limit = setTimeout(() => finish(false), timeoutMs);
    session.on('error', () => finish(false));
    const request = session.request({
      ':method': 'POST',
      ':path': METHOD,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const checkStatus = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] !== undefined) finish(headers['grpc-status'] === '0');
    };
    request.on('error', () => finish(false));
    request.on('response', checkStatus);
    request.on('trailers', checkStatus);
    request.on('end', () => setImmediate(finish, false));
    request.resume();
    request.end(grpcFrame(describeNamespaceRequest(namespace)));
  });
}

/** Protobuf: field 1, a string. */
function describeNamespaceRequest(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  if (name.length > 127) throw new Error('a namespace has at most 127 bytes');
  return Buffer.concat([Buffer.from([0x0a, name.length]), name]);
}

/** gRPC: a byte for "not compressed", then the length, then the message. */
function grpcFrame(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
