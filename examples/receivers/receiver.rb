# Ruby 3 and Sinatra 4: gem install sinatra rackup puma, ruby receiver.rb
require "json"
require "openssl"
require "sinatra"

set :port, Integer(ENV.fetch("PORT", "3000"))
set :bind, "127.0.0.1"

post "/" do
  body = request.body.read
  expected = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("STARPOST_SECRET"), body)
  received = request.env["HTTP_X_SERVICE_SIGNATURE"].to_s
  halt 401 unless Rack::Utils.secure_compare(received, expected)
  event = JSON.parse(body)
  puts "#{event["event"]} #{event.dig("review", "rating")}"
  204
end
