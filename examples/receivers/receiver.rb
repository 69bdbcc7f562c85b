# Ruby 3 and Sinatra 4: gem install sinatra rackup puma, ruby receiver.rb
require "json"
require "openssl"
require "sinatra"

set :port, Integer(ENV.fetch("PORT", "3000"))
set :bind, "127.0.0.1"

def from_starpost?(body, env)
  id, sent_at = env.values_at("HTTP_WEBHOOK_ID", "HTTP_WEBHOOK_TIMESTAMP").map(&:to_s)
  key = ENV.fetch("STARPOST_SECRET").delete_prefix("whsec_").unpack1("m")
  mac = [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{sent_at}.".b + body.b)].pack("m0")
  # An older request may be a recording that was sent again.
  return false if (Time.now.to_i - sent_at.to_i).abs > 300
  # There are several while a secret is being replaced.
  env["HTTP_WEBHOOK_SIGNATURE"].to_s.split.any? { |one| Rack::Utils.secure_compare(one, "v1,#{mac}") }
end

post "/" do
  body = request.body.read
  halt 401 unless from_starpost?(body, request.env)
  event = JSON.parse(body)
  puts "#{event["event"]} #{event.dig("review", "rating")}"
  204
end
