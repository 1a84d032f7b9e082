import { connect } from 'node:http2';

const METHOD = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/**
 * Whether a Temporal server responds at `host:port` and knows the namespace. Implements the gRPC call directly (one
 * frame over HTTP/2), so that launching does not need a native Temporal client.
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

/** Protobuf encoding of field 1, a string. */
function describeNamespaceRequest(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  if (name.length > 127) throw new Error('a namespace has at most 127 bytes');
  return Buffer.concat([Buffer.from([0x0a, name.length]), name]);
}

/** gRPC framing: a zero byte for "not compressed", the length, and the message. */
function grpcFrame(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
