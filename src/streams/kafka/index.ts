export { type Broker, type BrokerOptions, startBroker } from './broker.ts';
export { type KafkaConfig, kafkaConfigSchema, readKafkaConfig } from './config.ts';
export { type Installable, installKafka, kafkaBroker } from './install.ts';
export { KafkaError, type RunTopics } from './run-topics.ts';
export { openRunTopics, type RunTopicsOptions } from './topics.ts';
